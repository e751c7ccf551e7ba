#include <cstdio>
#include <exception>

#include "app/cli.hpp"

int main(int argc, char** argv) {
  try {
    return tgkeep::app::run_cli(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tgkeep: %s\n", error.what());
    return 1;
  }
}
