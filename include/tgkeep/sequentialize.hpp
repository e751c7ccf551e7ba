#pragma once
// Which updates must be handled one after another: a pure function from an update to the texts of its
// ordering keys. Evaluated once, at receipt; with a store the keys are stored with the update.

#include <functional>
#include <string>
#include <tgkeep/update.hpp>
#include <vector>

namespace tgkeep {

/// Gives the ordering keys of an update, primary first: updates that share one of them are handled in the
/// order of their arrival, one after another. No keys (or only empty texts): ordered with nothing. It sees
/// the default keys in `update.keys`. Called on the loop's thread: it must not block. When it throws, the
/// update keeps its default keys and the log says so.
using Sequentialize = std::function<std::vector<std::string>(const Update& update)>;

/// The default keys (chat, poll or user) and the user whose action it is, `user:ID`: one update at a time for
/// each chat and for each user.
std::vector<std::string> chat_and_user(const Update& update);

/// Gives `update` the keys that `rule` says; empty texts are left out and repeated ones count once. An empty
/// `rule` changes nothing. The error is the text of what `rule` threw; the keys are then unchanged.
Result<void> sequentialize(Update& update, const Sequentialize& rule);

}  // namespace tgkeep
