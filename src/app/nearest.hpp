#pragma once
// `nearest` by its short name.

#include "words/nearest.hpp"

namespace tgkeep::app {

using words::nearest;

}  // namespace tgkeep::app
