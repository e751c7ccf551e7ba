#include "sink/settled_as.hpp"

namespace tgkeep::sink {

namespace {

class SettleReceipt final : public Receipt {
 public:
  explicit SettleReceipt(std::shared_ptr<SettledAs> settled) : settled_(std::move(settled)) {}
  ~SettleReceipt() override { settled_->decide(SettledAs::Fate::lost); }
  void settled(bool written) override {
    settled_->decide(written ? SettledAs::Fate::written : SettledAs::Fate::refused);
  }

 private:
  const std::shared_ptr<SettledAs> settled_;
};

}  // namespace

void SettledAs::decide(Fate fate) {
  if (fate_ != Fate::open) return;
  fate_ = fate;
  for (loop::Event* const decided : waiting_) decided->notify();
}

std::shared_ptr<Receipt> receipt_of(std::shared_ptr<SettledAs> settled) {
  return std::make_shared<SettleReceipt>(std::move(settled));
}

}  // namespace tgkeep::sink
