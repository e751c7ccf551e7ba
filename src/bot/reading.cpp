#include "bot/reading.hpp"

#include <boost/json/parse.hpp>

#include "bot/update_fields.hpp"

namespace tgkeep::bot {

namespace {
constexpr std::size_t kMaxDepth = 1024;  // as deep as an update is read at receipt
}

const boost::json::value& Reading::json() {
  if (!json_) {
    boost::json::parse_options options;
    options.max_depth = kMaxDepth;
    json_ = boost::json::parse(context_.raw(), {}, options);
  }
  return *json_;
}

const boost::json::object& Reading::content() {
  static const boost::json::object kNothing;
  const boost::json::object* const update = json().if_object();
  if (update == nullptr) return kNothing;
  const boost::json::object* const content = object_in(*update, context_.kind());
  return content != nullptr ? *content : kNothing;
}

}  // namespace tgkeep::bot
