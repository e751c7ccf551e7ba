// The admin desk's reading of requests on any bytes: the first line is the target, the rest the body. It must
// not crash, what it hands on is text, and what it refuses it refuses with words that JSON can hold.
#include <algorithm>
#include <boost/json/object.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "admin/chosen_items.hpp"
#include "admin/item_filter.hpp"
#include "admin/params.hpp"
#include "admin/refusal.hpp"
#include "admin/replay_plan.hpp"
#include "admin/routes.hpp"
#include "admin/target.hpp"

namespace {

using namespace tgkeep;
using namespace tgkeep::admin;

void require(bool good) {
  if (!good) std::abort();
}

void check_words(const Params& params) {
  const auto wrong = params.wrong();
  if (!wrong) return;
  require(!wrong->empty() && is_utf8(as_text(*wrong)));
  require(refuse(400, "bad_request", *wrong).body.size() < 64U << 10);
}

void ask_as_items(Params params) {
  ItemFilter filter(params.queue("queue").value_or(Queue::inbox));
  filter.states = params.states("state");
  read_filter(params, filter);
  const auto limit = params.number("limit", 1, 1000);
  require(!limit || (*limit >= 1 && *limit <= 1000));
  params.flag("newest");
  check_words(params);
}

void ask_as_choice(Params params) {
  const ItemChoice choice = read_choice(params);
  if (!params.wrong()) require(choice.all == choice.seqs.empty() || params.has("seqs"));
  check_words(params);
}

void ask_as_replay(Params params) {
  const ReplayPlan plan = read_plan(params);
  require(plan.rate >= 1 && plan.rate <= 1000);
  check_words(params);
}

void ask_all(const Params& params) {
  ask_as_items(params);
  ask_as_choice(params);
  ask_as_replay(params);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(bytes.find('\n'), bytes.size());
  const Result<Target> target = read_target(bytes.substr(0, line));
  if (target.has_value()) {
    for (const std::string& part : target->path) require(is_utf8(part));
    for (const Route& route : routes_at(target->path)) places_of(route, target->path);
    ask_all(Params(target->query));
  } else {
    require(is_utf8(target.error().text()));
  }
  ask_all(Params::of_body(bytes.substr(std::min(line + 1, bytes.size()))));
  return 0;
}
