#pragma once
// Makes up plausible values of the schema's types.

#include <boost/json/value.hpp>
#include <functional>
#include <optional>
#include <tgkeep/time.hpp>

#include "emulator/schema/schema.hpp"
#include "telegram/request_params.hpp"

namespace tgkeep::emulator::schema {

/// Fills required fields only, and takes what a parameter of the call with the same name says.
class Synthesis {
 public:
  /// A value of a type that is known better; nothing when it isn't.
  using Known = std::function<std::optional<boost::json::value>(const Type&)>;

  Synthesis(const telegram::Params& params, WallTime now, Known known)
      : params_(params), now_(now), known_(std::move(known)) {}

  /// What a call of `method` returns.
  boost::json::value result(const MethodSpec& method) const;
  boost::json::value value(const Type& type, std::string_view name) const;

 private:
  boost::json::value field(const Slot& slot) const;
  boost::json::value object(const Type& type) const;
  std::int64_t number(std::string_view name) const;
  boost::json::value text(std::string_view name) const;
  std::optional<boost::json::value> given(const Slot& slot) const;

  const telegram::Params& params_;
  WallTime now_;
  Known known_;
};

}  // namespace tgkeep::emulator::schema
