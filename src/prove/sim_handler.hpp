#pragma once
// The bot of a simulation: a handler that does everything handlers do, and what the contract says they must
// not.

#include <memory>
#include <tgkeep/handler.hpp>

#include "prove/sim_scene.hpp"

namespace tgkeep::prove {

/// `scene` must outlive every handler, those that do not heed their cancellation too.
Handler make_sim_handler(SimScene& scene, std::shared_ptr<SimLifeFlag> life);

}  // namespace tgkeep::prove
