#include "admin/exposition.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <limits>

#include "admin/refusal.hpp"

namespace tgkeep::admin {

using prometheus::ClientMetric;
using prometheus::MetricType;

class Exposition::Families {
 public:
  ClientMetric& add(const std::string& name, const std::string& help, MetricType type, const Labels& labels) {
    auto family = std::find_if(all.begin(), all.end(),
                               [&name](const prometheus::MetricFamily& each) { return each.name == name; });
    if (family == all.end()) {
      family = all.emplace(all.end());
      family->name = name;
      family->help = help;
      family->type = type;
    }
    ClientMetric& metric = family->metric.emplace_back();
    for (const auto& [label, value] : labels) {
      ClientMetric::Label& shown = metric.label.emplace_back();
      shown.name = label;
      shown.value = as_text(value);
    }
    return metric;
  }

  std::vector<prometheus::MetricFamily> all;
};

Exposition::Exposition() : families_(std::make_unique<Families>()) {}
Exposition::~Exposition() = default;

void Exposition::counter(const std::string& name, const std::string& help, const Labels& labels,
                         double value) {
  families_->add(name, help, MetricType::Counter, labels).counter.value = value;
}

void Exposition::gauge(const std::string& name, const std::string& help, const Labels& labels, double value) {
  families_->add(name, help, MetricType::Gauge, labels).gauge.value = value;
}

void Exposition::histogram(const std::string& name, const std::string& help, const Labels& labels,
                           const LatencyHistogram& values) {
  ClientMetric::Histogram& shown = families_->add(name, help, MetricType::Histogram, labels).histogram;
  shown.sample_count = values.count();
  shown.sample_sum = values.sum();
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < values.counts().size(); ++i) {
    below += values.counts()[i];
    ClientMetric::Bucket& bucket = shown.bucket.emplace_back();
    bucket.cumulative_count = below;
    bucket.upper_bound = std::numeric_limits<double>::infinity();
    if (i < LatencyHistogram::kBounds.size()) bucket.upper_bound = LatencyHistogram::kBounds[i];
  }
}

std::string Exposition::text() const {
  const prometheus::TextSerializer serializer;
  return serializer.Serialize(families_->all);
}

}  // namespace tgkeep::admin
