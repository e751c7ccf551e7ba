#pragma once
// What one update's handlers know together: its JSON, the text behind its command, how it is to end.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/handler.hpp>

namespace tgkeep::bot {

/// Belongs to the delivery's strand.
class Reading {
 public:
  explicit Reading(Context context) : context_(std::move(context)) {}

  /// Throws boost::system::system_error for what is not JSON.
  const boost::json::value& json();
  const boost::json::object& content();

  std::string match;
  std::string own_name;  ///< the bot's username, when this update's command needs it
  std::optional<Outcome> settlement;

 private:
  Context context_;
  std::optional<boost::json::value> json_;
};

}  // namespace tgkeep::bot
