#pragma once
// The folder of a store: made durable, on a local disk, with some room left.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tgkeep/error.hpp>

namespace tgkeep::store {

/// Makes the folder and those above it that are missing, for this user alone whatever the umask; what is
/// there stays as it is. Whether the folder itself was made.
bool make_folders(const std::filesystem::path& folder, std::error_code& failure);

/// Makes the folder, as above, if it is missing, and refuses one on a network filesystem: store_unusable.
Result<void> prepare_folder(const std::string& folder);

/// Makes what was created in the folder durable.
Result<void> sync_folder(const std::string& folder);

/// Bytes that can still be written there; nothing when the system does not say.
std::optional<std::uint64_t> free_bytes(const std::string& folder) noexcept;

/// Bytes of a file; 0 when there is none.
std::uint64_t size_of(const std::string& path) noexcept;

/// Whether something has that name. What can't be looked at has not.
bool exists(const std::string& path) noexcept;

/// The name of a network filesystem, by statfs's f_type; "" for others.
std::string_view network_filesystem(std::uint64_t type) noexcept;

}  // namespace tgkeep::store
