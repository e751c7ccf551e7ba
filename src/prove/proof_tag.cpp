#include "prove/proof_tag.hpp"

#include <charconv>

namespace tgkeep::prove {

namespace {
constexpr std::string_view kOpening = "\"proof\":\"";
}

std::string tagged(std::string_view body, ProofTag tag) {
  std::string text = "{";
  text.append(kOpening);
  text += std::to_string(tag.update.value()) + ' ' + std::to_string(tag.chat) + '"';
  const std::size_t rest = body.find('{') + 1;
  if (body.find_first_not_of(" \n\r\t", rest) != body.rfind('}')) text += ',';
  return text.append(body.substr(rest));
}

std::optional<ProofTag> find_tag(std::string_view text) {
  const std::size_t place = text.find(kOpening);
  if (place == std::string_view::npos) return std::nullopt;
  text.remove_prefix(place + kOpening.size());
  std::int64_t update = 0;
  std::int64_t chat = 0;
  const auto [blank, wrong] = std::from_chars(text.data(), text.data() + text.size(), update);
  if (wrong != std::errc() || blank == text.data() + text.size() || *blank != ' ') return std::nullopt;
  const auto [end, error] = std::from_chars(blank + 1, text.data() + text.size(), chat);
  if (error != std::errc() || end == text.data() + text.size() || *end != '"') return std::nullopt;
  return ProofTag(UpdateId(update), chat);
}

}  // namespace tgkeep::prove
