#pragma once
// The Bot API's methods and types (botapi/schema.json), built into the binary.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace tgkeep::emulator::schema {

class Type;

/// A field of a type or a parameter of a method.
class Slot {
 public:
  constexpr Slot(std::string_view name, std::size_t first_type, std::size_t types, std::size_t array_depth,
                 bool required, std::string_view sample, bool fixed)
      : name(name),
        required(required),
        array_depth(array_depth),
        sample(sample),
        fixed(fixed),
        first_type_(first_type),
        types_(types) {}
  std::string_view name;
  bool required;            ///< false also for "required unless another is given"
  std::size_t array_depth;  ///< 0 scalar, 1 array, 2 array of arrays
  std::string_view sample;  ///< of a string with known values, one of them; else ""
  bool fixed;               ///< `sample` is the only value
  /// How many types the innermost element may have; more than one is an anonymous union.
  std::size_t type_count() const noexcept { return types_; }
  const Type& type(std::size_t number = 0) const noexcept;
  bool takes(std::string_view type) const noexcept;

 private:
  std::size_t first_type_;
  std::size_t types_;
};

/// One alternative of a union type.
class Subtype {
 public:
  constexpr Subtype(std::size_t type, std::size_t array_depth, std::string_view value,
                    std::string_view present)
      : array_depth(array_depth), value(value), present(present), type_(type) {}
  std::size_t array_depth;
  std::string_view value;    ///< of the discriminator; "" = any
  std::string_view present;  ///< fields that must be there, separated by commas
  const Type& type() const noexcept;

 private:
  std::size_t type_;
};

class Type {
 public:
  enum class Kind : std::uint8_t {
    primitive,  ///< int32, int64, float, string, bool, true
    object,
    one_of,
    file,  ///< InputFile
  };
  constexpr Type(std::string_view name, Kind kind, std::size_t first = 0, std::size_t count = 0,
                 std::string_view discriminator = {})
      : name(name), kind(kind), discriminator(discriminator), first_(first), count_(count) {}
  std::string_view name;
  Kind kind;
  std::string_view discriminator;  ///< of `one_of`; "" = told apart by fields alone
  std::span<const Slot> fields() const noexcept;
  std::span<const Subtype> subtypes() const noexcept;
  bool is_integer() const noexcept { return name == "int32" || name == "int64"; }
  bool is_flag() const noexcept { return name == "bool" || name == "true"; }

 private:
  std::size_t first_;
  std::size_t count_;
};

class MethodSpec {
 public:
  constexpr MethodSpec(std::string_view name, std::size_t first, std::size_t count, std::size_t first_result,
                       std::size_t results, std::size_t result_depth)
      : name(name),
        result_depth(result_depth),
        first_(first),
        count_(count),
        first_result_(first_result),
        results_(results) {}
  std::string_view name;
  std::size_t result_depth;  ///< array depth of what it returns
  std::span<const Slot> params() const noexcept;
  const Slot* param(std::string_view name) const noexcept;
  /// More than one: `Message` or `true`.
  std::size_t result_count() const noexcept { return results_; }
  const Type& result(std::size_t number = 0) const noexcept;

 private:
  std::size_t first_;
  std::size_t count_;
  std::size_t first_result_;
  std::size_t results_;
};

/// Sorted by name.
std::span<const MethodSpec> methods() noexcept;
/// By name in any case; nullptr when there is none.
const MethodSpec* find_method(std::string_view name) noexcept;
/// nullptr when there is none.
const Type* find_type(std::string_view name) noexcept;

static_assert(!std::is_aggregate_v<Slot> && !std::is_aggregate_v<Type> && !std::is_aggregate_v<MethodSpec>);

}  // namespace tgkeep::emulator::schema
