#pragma once
// The store of one simulated life: the memory store's shelf behind a slow, full, failing disk. Verbs that
// come while it commits take effect together, in order; a kill comes before or after that, and then nobody is
// told.

#include <algorithm>
#include <list>
#include <memory>
#include <vector>

#include "loop/event_list.hpp"
#include "prove/sim_scene.hpp"

namespace tgkeep::prove {

class SimStore final : public Store {
 public:
  SimStore(SimScene& scene, std::shared_ptr<SimLifeFlag> life);
  ~SimStore() override;

  asio::awaitable<Result<std::vector<PutResult>>> put(std::vector<Update> updates) override;
  asio::awaitable<Result<std::vector<Head>>> lease(LeaseRequest request) override;
  asio::awaitable<Result<std::vector<Item>>> begin(Queue queue, std::vector<Seq> seqs, Mark mark) override;
  asio::awaitable<Result<void>> renew(Queue queue, std::vector<Seq> seqs) override;
  asio::awaitable<Result<std::vector<bool>>> settle(std::vector<Settlement> settlements) override;
  asio::awaitable<Result<StoreCounts>> counts() override;
  Epoch epoch() const noexcept override { return epoch_; }

  /// As a person does with `tgkeep dead retry`.
  void retry(Queue queue, Seq seq);
  /// The process is gone: whoever waits is told so.
  void kill();
  void fill_up(Duration duration) { full_until_ = scene_.clock.mono() + duration; }
  /// How long it has waited for the slow disk so far, in all.
  Duration stalled() const { return stalled_ - std::max(commit_at_ - scene_.clock.mono(), Duration::zero()); }
  bool is_full() const { return scene_.clock.mono() < full_until_; }
  /// Whether it has been full at all since this was last asked.
  bool was_full() { return std::exchange(was_full_, false); }

 private:
  class Request {
   public:
    /// `work` gets null when it takes effect.
    Request(const asio::any_io_executor& loop, std::function<void(const Error*)> work)
        : done(loop), work(std::move(work)) {}
    loop::Event done;
    std::function<void(const Error*)> work;
  };
  using Line = std::vector<std::shared_ptr<Request>>;

  template <class T>
  asio::awaitable<Result<T>> ask(std::function<T()> work);
  void submit(std::shared_ptr<Request> request);
  void commit();
  static void refuse(const Line& line, const Error& error);
  void apply(const Line& line);
  bool is_over() const { return broken_ || life_->killed; }

  SimScene& scene_;
  std::shared_ptr<SimLifeFlag> life_;
  Epoch epoch_;
  Line line_;
  std::unique_ptr<Alarm> alarm_;
  loop::EventList waiting_;
  MonoTime full_until_{};
  MonoTime commit_at_{};
  Duration stalled_{};
  bool was_full_ = false;
  bool broken_ = false;
};

}  // namespace tgkeep::prove
