#pragma once
// The parameters of one Bot API request, as the server reads them: query string first, then the body.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tgkeep::telegram {

/// A file part of a multipart body.
class Upload {
 public:
  Upload(std::string name, std::string bytes) : name(std::move(name)), bytes(std::move(bytes)) {}
  std::string name;  ///< of the part
  std::string bytes;
  std::string file_name;
  std::string type;  ///< as the client said; may be ""
};

/// In order; the first of a name counts. JSON values other than strings are kept as their JSON text, so
/// numbers and numeric strings are the same.
class Params {
 public:
  Params() = default;
  void add(std::string name, std::string value) { values_.emplace_back(std::move(name), std::move(value)); }
  /// The value, or "" when there is none.
  std::string_view text(std::string_view name) const noexcept;
  bool has(std::string_view name) const noexcept;
  /// Leading digits count, anything else is 0; `missing` when there is none.
  std::int64_t number(std::string_view name, std::int64_t missing) const noexcept;
  /// `true`, `yes` and `1` in any case are true, all else is false.
  bool flag(std::string_view name) const noexcept;

  /// In the order they came.
  const std::vector<std::pair<std::string, std::string>>& values() const noexcept { return values_; }

  /// Names and values together, without files.
  std::size_t text_size() const noexcept;

  void add_file(Upload file) { files_.push_back(std::move(file)); }
  /// The uploaded file of this name, or the one that `attach://…` in the parameter of this name refers to;
  /// nullptr when there is none.
  const Upload* upload(std::string_view name) const noexcept;
  /// The file part of that name, for an `attach://` inside of JSON.
  const Upload* part(std::string_view name) const noexcept;
  const std::vector<Upload>& uploads() const noexcept { return files_; }
  /// The bytes of `upload`.
  const std::string* file(std::string_view name) const noexcept;

 private:
  std::vector<std::pair<std::string, std::string>> values_;
  std::vector<Upload> files_;
};

/// Adds `a=b&c=d` with percent signs and pluses undone.
void add_form(Params& params, std::string_view text);

/// Adds the members of a JSON object. A malformed text adds nothing (the server keeps what it read before the
/// fault).
void add_json(Params& params, std::string_view text);

/// Adds the parts of a multipart/form-data body: those with a file name are files. Nothing is added from the
/// first part on that is malformed.
void add_multipart(Params& params, std::string_view content_type, std::string_view body);

/// Longer boundaries are no boundaries.
inline constexpr std::size_t kLongestBoundary = 70;

/// What a multipart content type says; "" when it says none.
std::string_view boundary_of(std::string_view content_type);

/// Where the beginning of a multipart body breaks off.
enum class MultipartEnd : std::uint8_t {
  whole,         ///< behind its last boundary
  in_head,       ///< in a boundary or the head of a part
  in_parameter,  ///< in the content of a part without a file name
  in_file,
  malformed,
};

/// As `add_multipart` for a body that has come only in part: adds the parts that are there as a whole, which
/// are the first that `add_multipart` gives for all of it.
MultipartEnd add_multipart_prefix(Params& params, std::string_view content_type, std::string_view beginning);

/// Adds a body by its content type, as the server does: JSON, urlencoded or multipart; others are ignored.
void add_body(Params& params, std::string_view content_type, std::string_view body);

/// Undoes %XX; with `plus` also + for a blank.
std::string percent_decoded(std::string_view text, bool plus);

/// Of ASCII letters only.
std::string lower_case(std::string_view text);

bool same_ignoring_case(std::string_view one, std::string_view other) noexcept;

static_assert(!std::is_aggregate_v<Params> && !std::is_aggregate_v<Upload>);

}  // namespace tgkeep::telegram
