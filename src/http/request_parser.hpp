#pragma once
// Beast's request parser, filling a ServerRequest as it goes: no message type of Beast's in between, and no
// more memory for a body than has arrived.

#include <boost/beast/http/basic_parser.hpp>
#include <cstdint>

#include "http/server.hpp"

namespace tgkeep::http {

class RequestParser final : public boost::beast::http::basic_parser<true> {
 public:
  ServerRequest request;
  int version = 0;
  int hosts = 0;
  int lengths = 0;
  int encodings = 0;
  bool listed_length = false;  ///< a Content-Length of several numbers
  bool plain_chunked = false;  ///< the transfer encoding is "chunked" and nothing else
  bool has_chunk = false;
  bool wants_continue = false;
  bool wants_other = false;  ///< an Expect that is not 100-continue
  std::string packed;        ///< what came of a body to be unpacked
  bool unpacks = false;      ///< the body goes there, instead of into the request

 private:
  using Code = boost::beast::error_code;
  using Text = boost::beast::string_view;
  using Field = boost::beast::http::field;

  void on_request_impl(boost::beast::http::verb, Text method, Text target, int number, Code&) override;
  void on_field_impl(Field field, Text name, Text value, Code& error) override;
  void on_header_impl(Code&) override { head_done_ = true; }
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, Code&) override;
  std::size_t on_body_impl(Text bytes, Code&) override;
  void on_chunk_header_impl(std::uint64_t, Text, Code&) override { has_chunk = true; }
  std::size_t on_chunk_body_impl(std::uint64_t, Text bytes, Code& error) override {
    return on_body_impl(bytes, error);
  }
  void on_finish_impl(Code&) override {}
  void on_response_impl(int, Text, int, Code&) override {}  // pure in Beast, though a request has none

  bool head_done_ = false;
};

}  // namespace tgkeep::http
