#pragma once
// What was thrown, in words.

#include <exception>
#include <string>

namespace tgkeep::words {

/// `what()`, or that it has none.
std::string text_of(const std::exception_ptr& failure);

}  // namespace tgkeep::words
