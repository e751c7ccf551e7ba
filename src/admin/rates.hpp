#pragma once
// What happened between two pictures.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <tgkeep/latency.hpp>

#include "admin/picture.hpp"

namespace tgkeep::admin {

/// Seconds below which the share `quantile` (0-1) of the samples since `before` lies, estimated inside its
/// bucket; null without samples.
boost::json::value quantile_since(const LatencyHistogram& before, const LatencyHistogram& now,
                                  double quantile);

/// The `rates` of a bot. Zeros when `before` knows nothing of it.
boost::json::object rates_json(const BotPicture* before, const BotPicture& now, Duration between);

}  // namespace tgkeep::admin
