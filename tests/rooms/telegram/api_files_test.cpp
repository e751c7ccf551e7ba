// The public API client: uploads, downloads, timeouts and the way to the server.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <tgkeep/api_client.hpp>

#include "http/server.hpp"
#include "support/run.hpp"

namespace tgkeep {
namespace {

using namespace std::chrono_literals;
using test::run;

const std::string kToken = "123456789:AAF-abcdefghijklmnop_qrstu";

/// A server that counts what is uploaded and gives files of any size.
class ApiFiles : public ::testing::Test {
 protected:
  ApiFiles() {
    std::string name = (std::filesystem::temp_directory_path() / "tgkeep_files_XXXXXX").string();
    folder = ::mkdtemp(name.data());
    http::ServerOptions options;
    options.streams = [](const http::ServerRequest&) { return true; };
    auto handler = [this](http::ServerRequest request) { return serve(std::move(request)); };
    server = http::listen(io.get_executor(), options, handler, Log()).value();
    ApiOptions own(kToken);
    own.root = "http://127.0.0.1:" + std::to_string(server->port());
    own.timeouts.download = 5s;
    api = make_api(io.get_executor(), own).value();
  }
  ~ApiFiles() override {
    run(io, server->stop(0s));
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  asio::awaitable<http::ServerReply> serve(http::ServerRequest request) {
    targets.push_back(request.target);
    std::string start;
    std::string end;
    for (;;) {
      std::string piece = co_await request.stream->read();
      if (piece.empty()) break;
      uploaded += piece.size();
      largest = std::max(largest, piece.size());
      if (start.size() < 1000) start += piece.substr(0, 1000);
      end = (end + piece)
                .substr(end.size() + piece.size() - std::min<std::size_t>(end.size() + piece.size(), 100));
    }
    first = start;
    last = end;
    length = request.stream->length();
    if (request.method == "POST") {
      http::ServerReply reply(200, R"({"ok":true,"result":true})");
      co_return reply;
    }
    http::ServerReply reply(status);
    reply.body = refusal;
    left = file_size;
    if (status == 200) reply.stream = [this] { return next(); };
    co_return reply;
  }
  asio::awaitable<std::string> next() {
    if (cut && left < file_size / 2) throw std::runtime_error("cut");
    const std::size_t size = std::min<std::size_t>(left, 100'000);
    left -= size;
    co_return std::string(size, 'd');
  }

  std::string path(const std::string& name) const { return folder + "/" + name; }
  std::string write(const std::string& name, std::size_t size) {
    std::ofstream(path(name)) << std::string(size, 'u');
    return path(name);
  }
  DownloadResult fetched(const std::string& file_path, const std::string& to) {
    DownloadResult result = run(io, api->download_to(file_path, path(to)));
    if (!result) {
      EXPECT_EQ(result.error().text().find("AAF-"), std::string::npos) << result.error().text();
    }
    return result;
  }
  ApiResult called(ApiRequest request) {
    ApiResult result = run(io, api->call(std::move(request)));
    if (!result) {
      EXPECT_EQ(result.error().text().find("AAF-"), std::string::npos) << result.error().text();
    }
    return result;
  }

  asio::io_context io{1};
  std::string folder;
  std::unique_ptr<http::Server> server;
  std::unique_ptr<ApiClient> api;
  std::vector<std::string> targets;
  std::string first;
  std::string last;
  std::optional<std::uint64_t> length;
  std::size_t uploaded = 0;
  std::size_t largest = 0;
  int status = 200;
  std::string refusal;
  std::size_t file_size = 20U << 20;
  std::size_t left = 0;
  bool cut = false;
};

TEST_F(ApiFiles, uploads_from_the_disk_piece_by_piece) {
  const std::size_t size = 50U << 20;
  ApiRequest request("sendDocument", R"({"chat_id":1})");
  request.files.push_back(ApiFile::from_disk("document", write("film.mp4", size)));
  request.files.emplace_back("thumbnail", "t.jpg", "small");
  const ApiResult result = called(request);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(*result, "true");
  EXPECT_EQ(length, uploaded);
  EXPECT_GT(uploaded, size);
  EXPECT_LT(uploaded, size + 1000);
  EXPECT_NE(first.find("name=\"chat_id\"\r\n\r\n1\r\n"), std::string::npos) << first;
  EXPECT_NE(first.find("name=\"document\"; filename=\"film.mp4\""), std::string::npos) << first;
  EXPECT_NE(last.find("\r\n\r\nsmall\r\n--tgkeep-"), std::string::npos) << last;
}

TEST_F(ApiFiles, uploads_an_empty_file) {
  ApiRequest request("sendDocument", "{}");
  request.files.push_back(ApiFile::from_disk("document", write("empty", 0)));
  ASSERT_TRUE(called(request));
  EXPECT_EQ(length, uploaded);
  EXPECT_NE(last.find("octet-stream\r\n\r\n\r\n--tgkeep-"), std::string::npos) << last;
}

TEST_F(ApiFiles, does_not_send_what_it_cant_read) {
  ApiRequest request("sendDocument", "{}");
  request.files.push_back(ApiFile::from_disk("document", path("missing")));
  const ApiResult missing = called(request);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ApiError::Kind::refused);
  EXPECT_NE(missing.error().description.find(path("missing")), std::string::npos)
      << missing.error().description;
  EXPECT_TRUE(targets.empty());
  request.files[0].path = folder;
  EXPECT_FALSE(called(request));
}

TEST_F(ApiFiles, downloads_to_the_disk) {
  const DownloadResult result = fetched("documents/a b#ä.txt", "got");
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(*result, file_size);
  EXPECT_EQ(std::filesystem::file_size(path("got")), file_size);
  EXPECT_FALSE(std::filesystem::exists(path("got.part")));
  EXPECT_EQ(targets.back(), "/file/bot" + kToken + "/documents/a%20b%23%C3%A4.txt");
  file_size = 0;
  ASSERT_TRUE(fetched("empty", "none"));
  EXPECT_EQ(std::filesystem::file_size(path("none")), 0U);
}

TEST_F(ApiFiles, gives_a_download_piece_by_piece_as_fast_as_they_are_taken) {
  std::size_t taken = 0;
  std::size_t most_ahead = 0;
  std::size_t largest_piece = 0;
  DownloadTaker taker = [&](std::string piece) -> asio::awaitable<void> {
    taken += piece.size();
    largest_piece = std::max(largest_piece, piece.size());
    most_ahead = std::max(most_ahead, file_size - left - taken);
    co_return;
  };
  const DownloadResult result = run(io, api->download("f", taker));
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(taken, file_size);
  EXPECT_LE(largest_piece, 80U << 10);
  EXPECT_LT(most_ahead, 16U << 20);
}

TEST_F(ApiFiles, tells_why_there_is_no_file) {
  status = 404;
  refusal = R"({"ok":false,"error_code":404,"description":"Not Found"})";
  const DownloadResult missing = fetched("f", "got");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ApiError::Kind::refused);
  EXPECT_EQ(missing.error().code, 404);
  EXPECT_EQ(missing.error().description, "Not Found");
  EXPECT_FALSE(std::filesystem::exists(path("got")));
  status = 502;
  refusal = "<html>/bot" + kToken + "/</html>";
  EXPECT_FALSE(fetched("f", "got"));
  for (const std::string bad : {"", "/var/lib/bot/f", "../f", "a/../f", "a/.."}) {
    EXPECT_EQ(fetched(bad, "got").error().kind, ApiError::Kind::refused) << bad;
  }
  EXPECT_EQ(targets.size(), 2U);
}

TEST_F(ApiFiles, leaves_nothing_behind_of_a_download_that_broke_off) {
  cut = true;
  const DownloadResult result = fetched("f", "got");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ApiError::Kind::maybe_sent);
  EXPECT_FALSE(std::filesystem::exists(path("got")));
  EXPECT_FALSE(std::filesystem::exists(path("got.part")));
  const DownloadResult unwritable = fetched("f", "no/such/folder");
  ASSERT_FALSE(unwritable);
  EXPECT_NE(unwritable.error().description.find("no/such/folder"), std::string::npos);
}

TEST_F(ApiFiles, lets_the_taker_break_a_download_off) {
  DownloadTaker taker = [](std::string) -> asio::awaitable<void> { throw std::runtime_error("enough"); };
  EXPECT_THROW(run(io, api->download("f", taker)), std::runtime_error);
}

TEST_F(ApiFiles, goes_through_a_proxy) {
  ApiOptions own(kToken);
  own.root = "http://api.example.org";
  own.proxy = "http://127.0.0.1:" + std::to_string(server->port());
  api = make_api(io.get_executor(), own).value();
  ASSERT_TRUE(called(ApiRequest("getMe")));
  EXPECT_EQ(targets.back(), "/bot" + kToken + "/getMe");
}

TEST(ApiTimeouts, depend_on_the_method) {
  ApiTimeouts timeouts;
  EXPECT_EQ(timeouts.of(ApiRequest("sendMessage")), 30s);
  EXPECT_EQ(timeouts.of(ApiRequest("sendMessage", "{}", 5s)), 5s);
  EXPECT_EQ(timeouts.of(ApiRequest("getUpdates", R"({"timeout":40})")), 50s);
  EXPECT_EQ(timeouts.of(ApiRequest("getUpdates", R"({"timeout":4000})")), 60s);
  EXPECT_EQ(timeouts.of(ApiRequest("getUpdates", R"({"timeout":-1})")), 10s);
  EXPECT_EQ(timeouts.of(ApiRequest("getUpdates")), 10s);
  EXPECT_EQ(timeouts.of(ApiRequest("getFile")), 10min);
  ApiRequest upload("sendPhoto");
  EXPECT_EQ(timeouts.of(upload), 1min);
  upload.files.emplace_back("photo", "a", "b");
  EXPECT_EQ(timeouts.of(upload), 10min);
  timeouts.methods["sendMessage"] = 3s;
  EXPECT_EQ(timeouts.of(ApiRequest("sendMessage")), 3s);
}

}  // namespace
}  // namespace tgkeep
