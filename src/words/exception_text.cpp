#include "words/exception_text.hpp"

namespace tgkeep::words {

std::string text_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "something that is no std::exception was thrown";
  }
}

}  // namespace tgkeep::words
