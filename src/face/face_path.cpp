#include "face/face_path.hpp"

#include "telegram/request_params.hpp"

namespace tgkeep::face {

namespace {

bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

/// The start up to the slash, which is taken, too; nothing when there is no slash.
std::optional<std::string_view> take_segment(std::string_view& text) {
  const std::size_t end = text.find('/');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view segment = text.substr(0, end);
  text.remove_prefix(end + 1);
  return segment;
}

/// `/settle` and `/bulk`, each at most once, in either order.
void take_roots(std::string_view& text, FacePath& path) {
  const bool bulk_first = text.starts_with("/bulk/") && take(text, "/bulk");
  path.settles = text.starts_with("/settle/") && take(text, "/settle");
  path.bulk = bulk_first || (text.starts_with("/bulk/") && take(text, "/bulk"));
}

}  // namespace

std::optional<FacePath> read_face_path(std::string_view target) {
  FacePath path;
  const std::size_t question = target.find('?');
  if (question != std::string_view::npos) path.query = target.substr(question + 1);
  std::string_view left = target.substr(0, question);
  // Files are asked for by a path that Telegram decodes itself.
  const std::string decoded = telegram::percent_decoded(left, false);
  std::string_view behind_roots = decoded;
  FacePath ignored;
  take_roots(behind_roots, ignored);
  if (!behind_roots.starts_with("/file/")) left = decoded;
  take_roots(left, path);
  if (take(left, "/file/bot")) {
    path.kind = FacePath::Kind::file;
  } else if (!take(left, "/bot")) {
    return std::nullopt;
  }
  const std::optional<std::string_view> token = take_segment(left);
  if (!token) return std::nullopt;
  path.token = telegram::percent_decoded(*token, false);
  path.test = take(left, "test/");
  if (!path.test && left.starts_with("test")) return std::nullopt;
  if (path.kind == FacePath::Kind::method && take(left, "tgkeep/")) path.kind = FacePath::Kind::own;
  path.rest = left;
  return path;
}

}  // namespace tgkeep::face
