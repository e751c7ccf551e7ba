#pragma once
// The plug points of a pipeline without a store: where updates come from and who takes them. Anything that
// can be called will do: a lambda over a vector, a message queue, a socket.

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <tgkeep/handler.hpp>
#include <tgkeep/update.hpp>
#include <vector>

namespace tgkeep {

/// Supplies up to `limit` (at least 1) updates, in the order they are to be handled in. It is called again
/// when its last call has returned and there is room; more than asked for are kept and handled too.
/// - Nothing now: an empty vector. It is asked again, at once if it took its time, else a little later.
/// - Nothing ever again: nullopt. What runs is finished, then the runner stops by itself.
/// - A throw is logged and waited out with growing pauses.
/// Called on the loop's thread. Cancellable: a cancelled call has either taken nothing from where its updates
/// come from, or returns them all the same; a stop waits until it has ended.
using UpdateSupplier = std::function<asio::awaitable<std::optional<std::vector<Update>>>(std::size_t limit)>;

/// Handles one update. Returning means handled; throwing is a failure that goes to `on_error` and is not
/// tried again: without a store there is nothing that remembers it. Cancelled (terminal) at its timeout.
using UpdateConsumer = std::function<asio::awaitable<void>(const Context&)>;

}  // namespace tgkeep
