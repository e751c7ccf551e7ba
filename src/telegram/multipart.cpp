#include "telegram/multipart.hpp"

#include <boost/json.hpp>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tgkeep::telegram {

namespace {

namespace json = boost::json;
using Fields = std::vector<std::pair<std::string, std::string>>;

Result<Fields> read_fields(std::string_view params) {
  Fields fields;
  if (params.empty()) return fields;
  boost::system::error_code failure;
  const json::value value = json::parse(params, failure);
  if (failure || !value.is_object()) {
    return Error(Errc::bad_json,
                 "the parameters of a call with files are not a JSON object; write them as one");
  }
  for (const auto& member : value.get_object()) {
    if (member.value().is_null()) continue;
    std::string text = member.value().is_string() ? std::string(member.value().get_string())
                                                  : json::serialize(member.value());
    fields.emplace_back(member.key(), std::move(text));
  }
  return fields;
}

// As browsers do: a name may hold neither a quote nor a line's end.
std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') {
      out += "%22";
    } else if (c == '\r' || c == '\n') {
      out += c == '\r' ? "%0D" : "%0A";
    } else {
      out += c;
    }
  }
  return out + '"';
}

bool is_in_any(const std::string& boundary, const Fields& fields, const std::vector<ApiFile>& files) {
  for (const auto& [name, value] : fields) {
    if (name.find(boundary) != name.npos || value.find(boundary) != value.npos) return true;
  }
  for (const ApiFile& file : files) {
    if (file.content.find(boundary) != file.content.npos) return true;
  }
  return false;
}

/// Joins what is in memory.
void add(Multipart& body, std::string_view text) {
  const bool joins = !body.stretches.empty() && body.stretches.back().path.empty();
  if (!joins) body.stretches.emplace_back(std::string());
  body.stretches.back().text += text;
  body.length += text.size();
}

Result<void> add_content(Multipart& body, const ApiFile& file) {
  if (file.path.empty()) {
    add(body, file.content);
    return Result<void>();
  }
  std::error_code failure;
  const auto size = std::filesystem::file_size(file.path, failure);
  if (failure) {
    return Error(Errc::bad_config, "the file " + file.path + " can't be sent (" + failure.message() +
                                       "); check its path and who may read it");
  }
  body.stretches.emplace_back(file.path, size);
  body.length += size;
  return Result<void>();
}

}  // namespace

Result<Multipart> make_multipart(std::string_view params, const std::vector<ApiFile>& files,
                                 std::uint64_t seed) {
  const Result<Fields> fields = read_fields(params);
  if (!fields) return fields.error();
  std::string boundary;
  do {
    boundary = "tgkeep-" + std::to_string(seed++);
  } while (is_in_any(boundary, *fields, files));

  Multipart body;
  body.content_type = "multipart/form-data; boundary=" + boundary;
  const std::string part = "--" + boundary + "\r\nContent-Disposition: form-data; name=";
  for (const auto& [name, value] : *fields) add(body, part + in_quotes(name) + "\r\n\r\n" + value + "\r\n");
  for (const ApiFile& file : files) {
    add(body, part + in_quotes(file.name) + "; filename=" + in_quotes(file.file_name) +
                  "\r\nContent-Type: application/octet-stream\r\n\r\n");
    const Result<void> added = add_content(body, file);
    if (!added) return added.error();
    add(body, "\r\n");
  }
  add(body, "--" + boundary + "--\r\n");
  return body;
}

}  // namespace tgkeep::telegram
