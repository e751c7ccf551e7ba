#pragma once
// What the configuration says of the face, made into what it is opened with.

#include <optional>
#include <string>
#include <tgkeep/gateway.hpp>
#include <vector>

#include "app/config.hpp"

namespace tgkeep::app {

/// A sentence for each thing that is wrong.
std::vector<std::string> check_face(const Config& config);

/// The face that was asked for or that a bot needs; nothing when neither is so.
std::optional<FaceOptions> face_to_open(const Config& config);

}  // namespace tgkeep::app
