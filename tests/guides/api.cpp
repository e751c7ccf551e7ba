// The piece of code in docs/api.md, whole: house_snippets compares the two.

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdlib>
#include <iostream>
#include <tgkeep/api_client.hpp>

boost::asio::awaitable<void> send(tgkeep::ApiClient& api) {
  tgkeep::ApiRequest request("sendDocument", R"({"chat_id":4242,"caption":"the film"})");
  request.files.push_back(tgkeep::ApiFile::from_disk("document", "film.mp4"));
  const tgkeep::ApiResult message = co_await api.call(std::move(request));
  if (message) {
    std::cout << *message << "\n";  // the JSON of the result
  } else {
    std::cerr << message.error().text() << "\n";
  }
}

int main() {
  boost::asio::io_context io;
  const auto api =
      tgkeep::make_api(io.get_executor(), tgkeep::ApiOptions(std::getenv("TGKEEP_TOKEN"))).value();
  boost::asio::co_spawn(io, send(*api), boost::asio::detached);
  io.run();
}
