#pragma once
// Every failure tgkeep names, and the type that carries one. Values for what a caller should expect;
// exceptions (`Failure`) for a broken floor and at the edges of the public API.

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace tgkeep {

/// What went wrong. The text of an `Error` says where and what to do about it.
enum class Errc {
  bad_json,           ///< the bytes are not one valid JSON value
  bad_update,         ///< valid JSON, but not an update: update_id missing or not a whole number
  too_large,          ///< longer or deeper than the documented limit
  bad_answer,         ///< a server's answer could not be understood
  bad_config,         ///< a setting is unknown, out of range or missing
  store_full,         ///< no space left (or the reserve is reached): nothing was written, try again later
  store_broken,       ///< a write or sync failed: stop acknowledging, end the process, reopen
  store_locked,       ///< another process owns this store
  store_foreign,      ///< the file is not a tgkeep store
  store_version,      ///< the store was written by another schema version
  store_rolled_back,  ///< the database is older than what was already acknowledged
  store_unusable,     ///< the folder or file can't be opened for writing
  corrupt,            ///< a checksum does not match its row
  stale,              ///< the delivery was taken over by a later one; its settlement is refused
  not_found,          ///< no such row
  network,            ///< a connection could not be made or broke
  cancelled,          ///< the operation was cancelled
  misuse,             ///< a rule of a function was broken by its caller; the text says which
};

std::string_view to_string(Errc code) noexcept;

/// Failures of a store after which nothing was written and the same may be tried again: a full disk, another
/// program's lock.
constexpr bool passes_by_itself(Errc code) noexcept {
  return code == Errc::store_full || code == Errc::store_locked;
}

/// One failure: a code to branch on and a sentence for a person (what, where, what to do). Never holds a
/// token.
class Error {
 public:
  Error() = default;  // asked for by Result::error() of Boost 1.81
  Error(Errc code, std::string text) : code_(code), text_(std::move(text)) {}
  /// What to branch on.
  Errc code() const noexcept { return code_; }
  /// What happened, where, and what to do.
  const std::string& text() const noexcept { return text_; }

 private:
  Errc code_ = Errc::cancelled;
  std::string text_;
};

/// `Error` as an exception.
class Failure : public std::runtime_error {
 public:
  explicit Failure(Error error) : std::runtime_error(error.text()), error_(std::move(error)) {}
  /// The failure with its code.
  const Error& error() const noexcept { return error_; }

 private:
  Error error_;
};

/// Called by `Result::value()` when there is none: throws `Failure`.
[[noreturn]] void throw_exception_from_error(const Error& error, const boost::source_location& where);

template <class T>
using Result = boost::system::result<T, Error>;

}  // namespace tgkeep
