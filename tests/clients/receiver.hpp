#pragma once
// A recipe as a process: started, killed with all it has forked, heard through its journal.

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "clients/story.hpp"

namespace tgkeep::test {

/// What to run, in which folder, with what added to the environment.
class Command {
 public:
  Command(std::vector<std::string> words, std::map<std::string, std::string> environment)
      : words(std::move(words)), environment(std::move(environment)) {}
  std::vector<std::string> words;  ///< the program is looked for in PATH
  std::map<std::string, std::string> environment;
};

/// A port on 127.0.0.1 that nobody uses, outside the range that outgoing connections take theirs from.
std::uint16_t choose_port();

class Receiver {
 public:
  /// Its journal (file descriptor JOURNAL_FD) goes to `story`, what it prints is appended to the file
  /// `output`.
  Receiver(const Command& command, const std::string& output, Story& story);
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  /// kill -9 for it and all it has forked. Returns when none is left and its last line is in the story.
  void kill();

 private:
  void listen(int journal);

  pid_t pid_ = -1;
  Story& story_;
  std::atomic<bool> killed_{false};
  std::thread ear_;
};

}  // namespace tgkeep::test
