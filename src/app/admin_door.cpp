#include "app/admin_door.hpp"

#include <filesystem>
#include <system_error>

#include "dashboard/dashboard.hpp"
#include "store/sqlite/folder.hpp"
#include "telegram/concerns.hpp"

namespace tgkeep::app {

namespace {

admin::DeskOptions desk_options(const AdminOptions& options, const Log& log) {
  admin::DeskOptions desk;
  desk.ready_age = options.max_age;
  desk.version = TGKEEP_VERSION;
  desk.concerns = telegram::concerns;
  for (const dashboard::Asset& asset : dashboard::assets()) {
    desk.assets.emplace_back(std::string(asset.path), std::string(asset.content_type), asset.bytes);
  }
  desk.log = log;
  return desk;
}

admin::DoorOptions door_options(const AdminOptions& options) {
  admin::DoorOptions door;
  door.unix_path = options.socket;
  if (!options.address.empty()) {
    door.tcp.emplace(options.address, options.port, options.token);
    door.tcp->names = options.hosts;
  }
  return door;
}

Result<void> prepare_folder(const std::string& socket) {
  const std::filesystem::path folder = std::filesystem::path(socket).parent_path();
  if (folder.empty()) return Result<void>();
  std::error_code failed;
  store::make_folders(folder, failed);
  if (!failed) return Result<void>();
  return Error(Errc::bad_config, "admin.socket: the folder " + folder.string() + " can't be made (" +
                                     failed.message() + "): name another path, or say off");
}

}  // namespace

AdminDoor::AdminDoor(LivePremises& premises, const AdminOptions& options, const Log& log)
    : premises_(premises),
      options_(options),
      desk_(premises, desk_options(options, log)),
      door_(desk_, premises.clock(), door_options(options), log) {}

Result<void> AdminDoor::open() {
  if (!options_.socket.empty()) {
    const Result<void> prepared = prepare_folder(options_.socket);
    if (prepared.has_error()) return prepared;
  }
  return door_.open(premises_.loop());
}

asio::awaitable<void> AdminDoor::stop(Duration drain) {
  co_await desk_.close();
  co_await door_.stop(drain);
}

}  // namespace tgkeep::app
