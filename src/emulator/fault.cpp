#include "emulator/fault.hpp"

#include <array>

namespace tgkeep::emulator {

namespace {

constexpr std::array<std::string_view, 15> kinds = {
    "none",        "late",        "late_answer", "hang_up", "hang_up_after", "status", "flood",     "reset",
    "reset_after", "reset_early", "body",        "cut",     "drip",          "hang",   "hang_after"};
constexpr std::array<std::string_view, 13> webhook_kinds = {"none",
                                                            "twice",
                                                            "again",
                                                            "refused",
                                                            "unreachable",
                                                            "tls_failure",
                                                            "reset_before_body",
                                                            "reset_mid_body",
                                                            "reset_after_body",
                                                            "close_after_body",
                                                            "lost_answer",
                                                            "forged",
                                                            "forged_without_one"};
constexpr std::string_view conflict_text =
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";
constexpr std::string_view page =
    "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body bgcolor=\"white\">\r\n"
    "<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n";

}  // namespace

Fault Fault::conflict() {
  return status(409, std::string(conflict_text));
}

Fault Fault::html() {
  return body(502, std::string(page), "text/html");
}

std::string_view to_string(Fault::Kind kind) noexcept {
  return kinds.at(static_cast<std::size_t>(kind));
}

std::string_view to_string(WebhookFault fault) noexcept {
  return webhook_kinds.at(static_cast<std::size_t>(fault));
}

}  // namespace tgkeep::emulator
