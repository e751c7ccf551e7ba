#include "emulator/text/open_entities.hpp"

#include <algorithm>
#include <boost/json/array.hpp>

namespace tgkeep::emulator {

void OpenEntities::close_last() {
  json::object entity = std::move(open_.back().entity);
  open_.pop_back();
  const std::int64_t length = static_cast<std::int64_t>(offset_) - number_in(entity, "offset");
  if (length <= 0) return;
  entity["length"] = length;
  done_.entities.push_back(std::move(entity));
}

FormattedText OpenEntities::take() {
  std::ranges::stable_sort(done_.entities, [](const json::value& one, const json::value& other) {
    const json::object& a = one.as_object();
    const json::object& b = other.as_object();
    const std::int64_t by_offset = number_in(a, "offset") - number_in(b, "offset");
    return by_offset != 0 ? by_offset < 0 : number_in(a, "length") > number_in(b, "length");
  });
  return std::move(done_);
}

Refusal bad_entities(std::string_view words) {
  return Refusal("can't parse entities: " + std::string(words));
}

}  // namespace tgkeep::emulator
