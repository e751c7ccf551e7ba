#include <algorithm>

#include "telegram/request_params.hpp"

namespace tgkeep::telegram {

namespace {

/// The value of `name=` in a header: quoted or up to the next semicolon; "" when there is none.
std::string_view attribute(std::string_view header, std::string_view name) {
  std::size_t at = 0;
  while ((at = header.find(name, at)) != std::string_view::npos) {
    const bool begins = at == 0 || header[at - 1] == ' ' || header[at - 1] == ';';
    at += name.size();
    if (!begins || at >= header.size() || header[at] != '=') continue;
    std::string_view value = header.substr(at + 1);
    if (value.starts_with('"')) return value.substr(1, value.find('"', 1) - 1);
    return value.substr(0, value.find(';'));
  }
  return {};
}

/// The header called `name` in a part's head.
std::string_view header_of(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const std::size_t end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    head = end == std::string_view::npos ? std::string_view() : head.substr(end + 2);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && same_ignoring_case(line.substr(0, colon), name)) {
      return line.substr(colon + 1);
    }
  }
  return {};
}

void add_part(Params& params, std::string_view head, std::string_view content) {
  const std::string_view disposition = header_of(head, "Content-Disposition");
  const std::string name(attribute(disposition, "name"));
  std::string_view type = header_of(head, "Content-Type");
  type.remove_prefix(std::min(type.find_first_not_of(' '), type.size()));
  if (disposition.find("filename") != std::string_view::npos) {
    Upload file(name, std::string(content));
    file.file_name = attribute(disposition, "filename");
    file.type = type;
    params.add_file(std::move(file));
  } else if (type.find("application/x-www-form-urlencoded") != std::string_view::npos) {
    add_form(params, content);
  } else {
    params.add(name, std::string(content));
  }
}

bool is_file(std::string_view head) {
  return header_of(head, "Content-Disposition").find("filename") != std::string_view::npos;
}

}  // namespace

std::string_view boundary_of(std::string_view content_type) {
  return attribute(content_type, "boundary");
}

MultipartEnd add_multipart_prefix(Params& params, std::string_view content_type, std::string_view body) {
  const std::string_view boundary = boundary_of(content_type);
  if (boundary.empty() || boundary.size() > kLongestBoundary) return MultipartEnd::malformed;
  const std::string delimiter = "--" + std::string(boundary);
  const std::string end_of_part = "\r\n" + delimiter;
  if (body == "\r") return MultipartEnd::in_head;
  if (body.starts_with("\r\n")) body.remove_prefix(2);  // some clients begin with a line break
  if (!body.starts_with(delimiter)) {
    return delimiter.starts_with(body) ? MultipartEnd::in_head : MultipartEnd::malformed;
  }
  body.remove_prefix(delimiter.size());
  while (body.starts_with("\r\n")) {
    body.remove_prefix(2);
    const std::size_t head_end = body.find("\r\n\r\n");
    if (head_end == std::string_view::npos) return MultipartEnd::in_head;
    const std::string_view head = body.substr(0, head_end);
    const std::size_t end = body.find(end_of_part, head_end + 2);
    if (end == std::string_view::npos) {
      return is_file(head) ? MultipartEnd::in_file : MultipartEnd::in_parameter;
    }
    const std::size_t begin = head_end + 4;
    add_part(params, head, end > begin ? body.substr(begin, end - begin) : std::string_view());
    body.remove_prefix(end + end_of_part.size());
  }
  if (body.starts_with("--")) return MultipartEnd::whole;
  return body.empty() || body == "\r" || body == "-" ? MultipartEnd::in_head : MultipartEnd::malformed;
}

void add_multipart(Params& params, std::string_view content_type, std::string_view body) {
  add_multipart_prefix(params, content_type, body);
}

}  // namespace tgkeep::telegram
