#pragma once
// The parameters of a request, under the emulator's roof.

#include "telegram/request_params.hpp"

namespace tgkeep::emulator {

using telegram::add_body;
using telegram::add_form;
using telegram::add_multipart;
using telegram::Params;
using telegram::percent_decoded;
using telegram::same_ignoring_case;
using telegram::Upload;

}  // namespace tgkeep::emulator
