#pragma once
// A port for something that is started again and again.

#include <cstdint>
#include <initializer_list>
#include <tgkeep/error.hpp>

namespace tgkeep::prove {

/// A port of 127.0.0.1, none of `taken`, that is free now and below those that the system gives to outgoing
/// connections: one of these would be taken while its owner is being started again.
Result<std::uint16_t> find_port(std::initializer_list<std::uint16_t> taken = {});

}  // namespace tgkeep::prove
