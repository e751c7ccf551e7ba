#pragma once
// The answers about replays: one at a time for each bot.

#include <map>
#include <memory>

#include "admin/office.hpp"
#include "admin/replay_job.hpp"

namespace tgkeep::admin {

asio::awaitable<http::ServerReply> start_replay(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> cancel_replay(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> show_replay(Office& office, Inquiry inquiry);

}  // namespace tgkeep::admin
