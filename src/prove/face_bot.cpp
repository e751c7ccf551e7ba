#include "prove/face_bot.hpp"

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <boost/asio/io_context.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <tgkeep/gateway.hpp>

#include "http/server.hpp"
#include "loop/real_clock.hpp"
#include "loop/task_group.hpp"
#include "prove/face_caller.hpp"
#include "prove/face_hook.hpp"
#include "prove/face_place.hpp"
#include "prove/face_poller.hpp"
#include "prove/face_worker.hpp"

namespace tgkeep::prove {

namespace {

int failed(const Error& error) {
  std::fprintf(stderr, "%s\n", error.text().c_str());
  return 1;
}

http::ClientOptions many_connections() {
  http::ClientOptions options;
  options.max_connections_per_host = 500;
  return options;
}

}  // namespace

int run_face_bot(const FaceBotOptions& options) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  Workload::Face way = Workload::Face::poll;
  for (const Workload::Face other : {Workload::Face::settle, Workload::Face::webhook}) {
    if (to_string(other) == options.way) way = other;
  }
  const char* const named = std::getenv("TGKEEP_TOKEN");
  const std::string token = named == nullptr ? "" : named;
  const Result<Control> control = Control::open(options.control);
  if (!control) return failed(control.error());
  const auto log = Witness::open(options.handler_log);
  if (!log) return failed(log.error());
  const auto call_log = Witness::append_to(options.call_log);
  if (!call_log) return failed(call_log.error());

  asio::io_context io(1);
  loop::RealClock clock(io.get_executor());
  http::Client client(io.get_executor(), many_connections());
  const FacePlace place(clock, options.face_port, **control);
  FaceCaller caller(client, place, token, *call_log, (*log)->life());
  loop::TaskGroup tasks(io.get_executor(), stderr_log());
  FaceWorker worker(clock, caller, tasks, *log, way, options.seed);
  FacePoller poller(io.get_executor(), clock, client, place, token, worker, tasks, options.seed);
  FaceHook hook(clock, client, place, token, worker);
  std::unique_ptr<http::Server> server;
  if (way == Workload::Face::webhook) {
    http::ServerOptions serving;
    serving.port = options.port;
    const http::ServerHandler handler = [&hook](http::ServerRequest request) {
      return hook.serve(std::move(request));
    };
    auto listening = http::listen(io.get_executor(), serving, handler, stderr_log());
    if (!listening) return failed(listening.error());
    server = *std::move(listening);
    tasks.spawn("set the webhook", hook.set(options.port));
  } else if (way == Workload::Face::settle) {
    tasks.spawn("poll", poller.poll_and_settle());
  } else {
    tasks.spawn("poll", poller.poll_and_confirm());
  }
  io.run();
  // Killed, it never gets here.
  return 1;
}

}  // namespace tgkeep::prove
