#pragma once
// The parameters of one request, from its query or its JSON body, read strictly: whoever answers asks for
// each by name and in the end whether anything was wrong.

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/error.hpp>
#include <tgkeep/store_browser.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tgkeep::admin {

/// The first thing that is wrong is kept; what comes after it reads as absent.
class Params {
 public:
  Params() = default;
  explicit Params(const std::vector<std::pair<std::string, std::string>>& query);
  /// "" is no parameters.
  static Params of_body(std::string_view body);

  bool has(std::string_view name) const;
  /// "" when absent.
  std::string text(std::string_view name);
  std::optional<std::int64_t> number(std::string_view name, std::int64_t least, std::int64_t most);
  std::optional<WallTime> time(std::string_view name);
  bool flag(std::string_view name);
  /// `a,b` in a query, `["a", "b"]` in a body.
  std::vector<std::string> words(std::string_view name);
  std::vector<std::int64_t> numbers(std::string_view name, std::size_t most);
  /// Absent: nothing.
  std::optional<Queue> queue(std::string_view name);
  std::vector<ItemState> states(std::string_view name);

  /// Keeps `text` as what is wrong, unless something was before.
  void refuse(std::string text);
  /// What was wrong, with what nobody has asked for among it.
  std::optional<std::string> wrong() const;

 private:
  const boost::json::value* take(std::string_view name);
  void refuse_value(std::string_view name, std::string_view wanted);

  boost::json::object values_;
  bool of_query_ = false;
  std::vector<std::string> known_;
  std::string wrong_;
};

static_assert(!std::is_aggregate_v<Params>);

}  // namespace tgkeep::admin
