#include "sink/form_fields.hpp"

#include "telegram/request_params.hpp"

namespace tgkeep::sink {

std::vector<std::pair<std::string, std::string>> form_fields(std::string_view body) {
  telegram::Params params;
  telegram::add_form(params, body);
  return params.values();
}

}  // namespace tgkeep::sink
