#pragma once
// A running bot as several threads use it at the same time.

#include <atomic>
#include <future>
#include <tgkeep/run.hpp>
#include <thread>
#include <vector>

namespace tgkeep::test {

/// Three threads look, one stops and one waits, again and again, while this one starts it so many times. Ends
/// with a stop.
inline void start_while_others_stop_wait_and_look(RunnerHandle& handle, int times) {
  std::atomic<bool> enough = false;
  std::vector<std::future<void>> threads;
  for (int i = 0; i < 3; ++i) {
    threads.push_back(std::async(std::launch::async, [&] {
      while (!enough) {
        handle.snapshot();
        handle.size();
        handle.stats();
        handle.is_running();
        handle.failure();
      }
    }));
  }
  threads.push_back(std::async(std::launch::async, [&] {
    while (!enough) {
      handle.stop();
      std::this_thread::yield();
    }
  }));
  threads.push_back(std::async(std::launch::async, [&] {
    while (!enough) handle.wait();
  }));
  for (int i = 0; i < times; ++i) handle.start();
  enough = true;
  handle.stop();
}

}  // namespace tgkeep::test
