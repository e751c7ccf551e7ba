// The public API client against the emulated Telegram.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <tgkeep/api_client.hpp>

#include "rooms/emulator/api_scene.hpp"

namespace tgkeep {
namespace {

namespace json = boost::json;

class EmulatedApi : public emulator::ApiScene {
 protected:
  EmulatedApi() {
    std::string name = (std::filesystem::temp_directory_path() / "tgkeep_api_XXXXXX").string();
    folder = ::mkdtemp(name.data());
    ApiOptions options{std::string(token)};
    options.root = server->root();
    api = make_api(io.get_executor(), options).value();
  }
  ~EmulatedApi() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  json::value called(ApiRequest request) {
    const ApiResult result = test::run(io, api->call(std::move(request)));
    EXPECT_TRUE(result) << result.error().text();
    return json::parse(result ? *result : "{}");
  }

  std::string folder;
  std::unique_ptr<ApiClient> api;
};

TEST_F(EmulatedApi, brings_a_file_of_the_disk_there_and_back) {
  std::string content;
  for (unsigned value = 1; content.size() < 3'000'000; value = value * 1664525U + 1013904223U) {
    content += static_cast<char>(value >> 24);
  }
  std::ofstream(folder + "/up.bin") << content;
  ApiRequest upload("sendDocument", R"({"chat_id":7,"caption":"here"})");
  upload.files.push_back(ApiFile::from_disk("document", folder + "/up.bin"));
  const json::value message = called(std::move(upload));
  EXPECT_EQ(message.at("caption").as_string(), "here");
  EXPECT_EQ(message.at("document").at("file_name").as_string(), "up.bin");
  json::object wanted;
  wanted["file_id"] = message.at("document").at("file_id");
  const json::value file = called(ApiRequest("getFile", json::serialize(wanted)));
  const std::string file_path(file.at("file_path").as_string());
  const DownloadResult size = test::run(io, api->download_to(file_path, folder + "/down.bin"));
  ASSERT_TRUE(size) << size.error().text();
  EXPECT_EQ(*size, content.size());
  std::ifstream down(folder + "/down.bin");
  EXPECT_TRUE(std::string(std::istreambuf_iterator<char>(down), {}) == content);
  const DownloadResult missing = test::run(io, api->download_to("documents/none", folder + "/none"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, 404);
}

}  // namespace
}  // namespace tgkeep
