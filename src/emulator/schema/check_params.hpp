#pragma once
// Whether a call's parameters fit the schema, in the server's words. Pure.

#include <optional>
#include <string>

#include "emulator/schema/schema.hpp"
#include "telegram/request_params.hpp"

namespace tgkeep::emulator::schema {

/// What the server would say (after `Bad Request: `); nothing when all fits. Required parameters must be
/// there, and objects and arrays must be JSON of their type. Plain numbers and flags are never wrong: the
/// server reads garbage as 0 or false. Parameters the method does not have are ignored. Chats are looked at
/// last.
std::optional<std::string> refuse_params(const MethodSpec& method, const telegram::Params& params);

}  // namespace tgkeep::emulator::schema
