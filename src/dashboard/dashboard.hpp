#pragma once
// The operator's page: the files a browser asks for, which the program holds in itself.

#include <span>
#include <string_view>
#include <type_traits>

namespace tgkeep::dashboard {

/// One file of the page. Everything it points to lives as long as the program.
class Asset {
 public:
  constexpr Asset(std::string_view path, std::string_view content_type, std::string_view bytes) noexcept
      : path(path), content_type(content_type), bytes(bytes) {}
  std::string_view path;          ///< as a browser asks for it: `/`, `/style.css`
  std::string_view content_type;  ///< with its charset
  std::string_view bytes;
};

/// All of them; the page itself is `/`. They hold no data of any bot, so they may be served to anybody.
std::span<const Asset> assets() noexcept;

static_assert(!std::is_aggregate_v<Asset>);

}  // namespace tgkeep::dashboard
