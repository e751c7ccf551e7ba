#pragma once
// The generated tables behind schema.hpp.

#include "emulator/schema/schema.hpp"

namespace tgkeep::emulator::schema {

class Tables {
 public:
  constexpr Tables(std::span<const std::uint16_t> refs, std::span<const Slot> slots,
                   std::span<const Subtype> subtypes, std::span<const Type> types,
                   std::span<const MethodSpec> methods)
      : refs(refs), slots(slots), subtypes(subtypes), types(types), methods(methods) {}
  std::span<const std::uint16_t> refs;  ///< numbers of types
  std::span<const Slot> slots;
  std::span<const Subtype> subtypes;
  std::span<const Type> types;
  std::span<const MethodSpec> methods;
};

const Tables& tables() noexcept;

}  // namespace tgkeep::emulator::schema
