#pragma once
// Items, traces and lanes as JSON.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <tgkeep/runner.hpp>
#include <tgkeep/store_browser.hpp>
#include <vector>

namespace tgkeep::admin {

boost::json::object item_json(const StoredItem& item, bool with_body);
boost::json::object page_json(const ItemPage& page, bool with_bodies);
boost::json::object trace_json(UpdateId id, const std::vector<ItemTrace>& runs);
/// `key` is the text of the lane's key, "" when it is not known.
boost::json::object lane_json(const BusyLane& lane, const std::string& key);
boost::json::object flight_json(const InFlight& flight);

/// Milliseconds, or null.
boost::json::value millis_json(const std::optional<WallTime>& time);

}  // namespace tgkeep::admin
