#include "telegram/multipart.hpp"

#include <boost/json.hpp>
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
std::string quoted(std::string_view text) {
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

}  // namespace

Result<Multipart> make_multipart(std::string_view params, const std::vector<ApiFile>& files,
                                 std::uint64_t seed) {
  const Result<Fields> fields = read_fields(params);
  if (!fields) return fields.error();
  std::string boundary;
  do {
    boundary = "tgkeep-" + std::to_string(seed++);
  } while (is_in_any(boundary, *fields, files));

  Multipart out;
  out.content_type = "multipart/form-data; boundary=" + boundary;
  const std::string part = "--" + boundary + "\r\nContent-Disposition: form-data; name=";
  for (const auto& [name, value] : *fields) {
    out.body.append(part).append(quoted(name)).append("\r\n\r\n").append(value).append("\r\n");
  }
  for (const ApiFile& file : files) {
    out.body += part + quoted(file.name) + "; filename=" + quoted(file.file_name) +
                "\r\nContent-Type: application/octet-stream\r\n\r\n" + file.content + "\r\n";
  }
  out.body += "--" + boundary + "--\r\n";
  return out;
}

}  // namespace tgkeep::telegram
