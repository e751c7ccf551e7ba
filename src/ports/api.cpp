#include <stdexcept>
#include <tgkeep/api.hpp>

namespace tgkeep {

void throw_exception_from_error(const ApiError& error, const boost::source_location&) {
  throw std::runtime_error("Bot API call failed: " + error.description);
}

}  // namespace tgkeep
