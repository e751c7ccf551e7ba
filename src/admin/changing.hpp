#pragma once
// The answers that change a bot or the process; replays are in replay.hpp.

#include "admin/office.hpp"

namespace tgkeep::admin {

asio::awaitable<http::ServerReply> pause_deliveries(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> resume_deliveries(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> retry_items(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> drop_items(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> erase_person(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> back_up(Office& office, Inquiry inquiry);

asio::awaitable<http::ServerReply> drain_process(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> receive_again(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> reload_process(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> stop_process(Office& office, Inquiry inquiry);

}  // namespace tgkeep::admin
