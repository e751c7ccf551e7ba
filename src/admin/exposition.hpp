#pragma once
// The text Prometheus reads (prometheus-cpp writes it).

#include <cstdint>
#include <memory>
#include <string>
#include <tgkeep/latency.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tgkeep::admin {

/// Names and values of one series' labels.
using Labels = std::vector<std::pair<std::string, std::string>>;

/// Families of metrics, in the order of their first values.
class Exposition {
 public:
  Exposition();
  ~Exposition();
  Exposition(const Exposition&) = delete;
  Exposition& operator=(const Exposition&) = delete;

  /// Only grows while the process runs; or falls back to what is true after a restore.
  void counter(const std::string& name, const std::string& help, const Labels& labels, double value);
  void gauge(const std::string& name, const std::string& help, const Labels& labels, double value);
  void histogram(const std::string& name, const std::string& help, const Labels& labels,
                 const LatencyHistogram& values);
  std::string text() const;

 private:
  class Families;
  std::unique_ptr<Families> families_;
};

static_assert(!std::is_aggregate_v<Exposition>);

}  // namespace tgkeep::admin
