#include "app/face_options.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>

namespace tgkeep::app {

namespace {

boost::asio::ip::address read(const std::string& address, boost::system::error_code& wrong) {
  return boost::asio::ip::make_address(address, wrong);
}

}  // namespace

std::optional<FaceOptions> face_of(const ProcessOptions& process, const std::vector<BotOptions>& bots) {
  if (process.face) return process.face;
  const auto pulls = [](const BotOptions& bot) { return bot.pull.has_value(); };
  if (std::any_of(bots.begin(), bots.end(), pulls)) return FaceOptions();
  return std::nullopt;
}

std::string face_problem(const FaceOptions& options) {
  boost::system::error_code wrong;
  const boost::asio::ip::address address = read(options.address, wrong);
  if (wrong) {
    return "face.listen: \"" + options.address +
           "\" is no IP address: write one of this machine's, such as 127.0.0.1";
  }
  if (options.certificate.empty() != options.key.empty()) {
    return "[face]: TLS needs both certificate and key: name the other file too, or neither";
  }
  if (address.is_loopback() || !options.certificate.empty() || options.allow_plain) return "";
  return "face.listen: " + options.address +
         " can be reached by others, and without TLS the bots' tokens would go over the network for all to "
         "read: set face.certificate and face.key, or, on a network you trust, face.allow_plain = true";
}

std::string face_root(const FaceOptions& options, std::uint16_t port) {
  boost::system::error_code wrong;
  const boost::asio::ip::address address = read(options.address, wrong);
  std::string host = options.address;
  if (!wrong && address.is_v6()) host = address.is_unspecified() ? "localhost" : "[" + host + "]";
  if (!wrong && address.is_v4() && address.is_unspecified()) host = "127.0.0.1";
  return (options.certificate.empty() ? "http://" : "https://") + host + ":" + std::to_string(port);
}

bool is_place_of(const FaceOptions& options, std::string_view address, std::uint16_t port) {
  if (port != options.port || port == 0) return false;
  boost::system::error_code wrong;
  const boost::asio::ip::address own = read(options.address, wrong);
  const boost::asio::ip::address asked = read(std::string(address), wrong);
  if (wrong) return false;
  return asked == own || (own.is_unspecified() && (asked.is_loopback() || asked.is_unspecified()));
}

}  // namespace tgkeep::app
