#pragma once
// A pipeline without a store on a loop of its own. What it holds in memory outlasts its lives.

#include <memory>
#include <tgkeep/run.hpp>

#include "app/machine.hpp"

namespace tgkeep::app {

std::unique_ptr<Machine> make_direct_machine(UpdateSupplier supplier, UpdateConsumer consumer,
                                             RunOptions options);

}  // namespace tgkeep::app
