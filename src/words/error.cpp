#include <tgkeep/error.hpp>

namespace tgkeep {

std::string_view to_string(Errc code) noexcept {
  switch (code) {
    case Errc::bad_json:
      return "bad_json";
    case Errc::bad_update:
      return "bad_update";
    case Errc::too_large:
      return "too_large";
    case Errc::bad_answer:
      return "bad_answer";
    case Errc::bad_config:
      return "bad_config";
    case Errc::store_full:
      return "store_full";
    case Errc::store_broken:
      return "store_broken";
    case Errc::store_locked:
      return "store_locked";
    case Errc::store_foreign:
      return "store_foreign";
    case Errc::store_version:
      return "store_version";
    case Errc::store_rolled_back:
      return "store_rolled_back";
    case Errc::store_unusable:
      return "store_unusable";
    case Errc::corrupt:
      return "corrupt";
    case Errc::stale:
      return "stale";
    case Errc::not_found:
      return "not_found";
    case Errc::network:
      return "network";
    case Errc::cancelled:
      return "cancelled";
    case Errc::misuse:
      return "misuse";
  }
  return "unknown";
}

void throw_exception_from_error(const Error& error, const boost::source_location&) {
  throw Failure(error);
}

}  // namespace tgkeep
