#include "demo/receiver.hpp"

#include <fstream>

namespace tgkeep::demo {

namespace {

constexpr const char* env = "/usr/bin/env";
}  // namespace

Result<ChildProcess> start_receiver(const std::string& folder, std::uint16_t port, std::uint64_t seed,
                                    const std::string& handler_log) {
  const std::string path = folder + "/receiver.py";
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << receiver_script();
  file.close();
  if (!file) return Error(Errc::bad_config, "can't write " + path + "; choose another folder");
  std::vector<std::string> command = {env,
                                      "python3",
                                      "-u",
                                      path,
                                      "--port",
                                      std::to_string(port),
                                      "--seed",
                                      std::to_string(seed),
                                      "--handler-log",
                                      handler_log};
  return ChildProcess::start(std::move(command), {}, folder + "/receiver.log");
}

}  // namespace tgkeep::demo
