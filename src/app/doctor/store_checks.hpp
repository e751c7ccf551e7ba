#pragma once
// Whether a store can be opened: its schema, its side file, who owns it.

#include <boost/asio/io_context.hpp>
#include <string>

#include "app/doctor/finding.hpp"

namespace tgkeep::app {

/// Changes nothing. `live`: a process answers for this configuration.
void check_store(Findings& findings, boost::asio::io_context& io, const std::string& folder, bool live);

}  // namespace tgkeep::app
