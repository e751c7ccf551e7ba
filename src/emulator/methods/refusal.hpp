#pragma once
// Why a method is refused, as a value.

#include <boost/system/result.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "emulator/answer.hpp"

namespace tgkeep::emulator {

class Refusal {
 public:
  Refusal() = default;
  /// 400; `words` come after `Bad Request: `.
  explicit Refusal(std::string_view words);
  /// 403; `words` come after `Forbidden: `.
  static Refusal forbidden(std::string_view words);
  /// 400 with `migrate_to_chat_id`.
  static Refusal migrated(std::int64_t chat);
  Answer answer() const;

  int code = 400;
  std::string description;
  std::optional<std::int64_t> migrate_to;
};

[[noreturn]] void throw_exception_from_error(const Refusal& error, const boost::source_location& where);

template <class T>
using Checked = boost::system::result<T, Refusal>;

static_assert(!std::is_aggregate_v<Refusal>);

}  // namespace tgkeep::emulator
