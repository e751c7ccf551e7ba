#pragma once
// Short words for the book of handouts, in tests.

#include <tgkeep/handouts.hpp>

#include "store_under_test.hpp"

namespace tgkeep::store {

/// A number, and the item that gets it now.
class NumberOf {
 public:
  NumberOf(std::int64_t id, Seq seq) : id(id), seq(seq) {}
  std::int64_t id;
  Seq seq;
};

inline std::vector<std::int64_t> ids_of(const std::vector<Handout>& handouts) {
  std::vector<std::int64_t> ids;
  for (const Handout& handout : handouts) ids.push_back(handout.id.value());
  return ids;
}

class HandoutWords {
 public:
  explicit HandoutWords(StoreUnderTest& t) : t_(t) {}

  Result<void> try_note(const std::vector<NumberOf>& numbers) {
    std::vector<Handout> handouts;
    for (const NumberOf& one : numbers) handouts.emplace_back(PullId(one.id), one.seq, t_.clock.wall());
    return test::run(t_.io, book().note(std::move(handouts)));
  }
  void note(const std::vector<NumberOf>& numbers) {
    const Result<void> noted = try_note(numbers);
    EXPECT_TRUE(noted) << (noted ? "" : noted.error().text());
  }
  std::int64_t last() { return test::run(t_.io, book().last()).value().value(); }
  std::vector<Handout> open() { return test::run(t_.io, book().open()).value(); }
  std::vector<Handout> done_since(WallTime from, std::size_t limit = 1000) {
    return test::run(t_.io, book().done_since(from, limit)).value();
  }
  std::optional<Handout> find(std::int64_t id) { return test::run(t_.io, book().find(PullId(id))).value(); }
  std::vector<Handout> of(Seq seq) { return test::run(t_.io, book().of(seq)).value(); }

 private:
  Handouts& book() { return *t_.store->handouts(); }
  StoreUnderTest& t_;
};

}  // namespace tgkeep::store
