#pragma once
// Whether a JSON value is of a type of the schema. Pure.

#include <boost/json/value.hpp>
#include <optional>
#include <string>

#include "emulator/schema/schema.hpp"

namespace tgkeep::emulator::schema {

/// Why `value` is none of the slot's types, with arrays unwrapped; nothing when it is one.
std::optional<std::string> mismatch(const boost::json::value& value, const Slot& slot);

/// The same for one type.
std::optional<std::string> mismatch(const boost::json::value& value, const Type& type);

/// The alternative of a union that `value` is; nullptr when it is none.
const Subtype* alternative(const Type& one_of, const boost::json::value& value) noexcept;

}  // namespace tgkeep::emulator::schema
