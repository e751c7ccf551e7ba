#pragma once
// A body that libcurl sends while its source still makes it: asks for a piece when there is none left.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "http/client.hpp"

namespace tgkeep::http {

/// Held by a shared_ptr: asking for a piece keeps it alive. Everything on the loop's thread.
class BodyPull final : public std::enable_shared_from_this<BodyPull> {
 public:
  /// `length`: bytes that are to come, if that is known. `changed` is called when there is a piece, or none
  /// after all, and when the asking has ended after `stop`.
  BodyPull(asio::any_io_executor loop, BodySource source, std::optional<std::uint64_t> length,
           std::function<void()> changed);

  enum class Step {
    some,
    wait,  ///< until `changed`
    end,
    broken,
  };
  /// Puts up to `size` bytes to `to`; `given` says how many.
  Step give(char* to, std::size_t size, std::size_t& given);
  /// Why it is broken.
  const std::string& failure() const noexcept { return failure_; }
  /// The source is at work on a piece.
  bool pulling() const noexcept { return pulling_; }
  /// Calls `changed` soon, whatever there is.
  void nudge();
  /// Asks for no more, and ends what is being asked for.
  void stop();
  /// As `stop`, and `changed` is never called again.
  void abandon();

 private:
  static asio::awaitable<void> pull(std::shared_ptr<BodyPull> self);
  asio::awaitable<void> pull_one();
  Step check_length();
  void ask();

  asio::any_io_executor loop_;
  BodySource source_;
  std::optional<std::uint64_t> left_;
  std::function<void()> changed_;
  std::string piece_;
  std::size_t at_ = 0;
  std::string failure_;
  bool ended_ = false;
  bool pulling_ = false;
  bool started_ = false;
  bool stopped_ = false;
  asio::cancellation_signal cancel_;
};

}  // namespace tgkeep::http
