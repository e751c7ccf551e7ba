#pragma once
// A Gateway for each life.

#include <memory>
#include <tgkeep/gateway.hpp>
#include <tgkeep/handler.hpp>

#include "app/machine.hpp"

namespace tgkeep::app {

std::unique_ptr<Machine> make_gateway_machine(GatewayOptions options, Handler handler);

}  // namespace tgkeep::app
