#pragma once
// What is at the other end of stdout and stderr: a person at a terminal, or a program.

#include <cstddef>
#include <string>
#include <string_view>

namespace tgkeep::app {

bool stdin_is_terminal();
bool stdout_is_terminal();
bool stderr_is_terminal();

/// Columns of the terminal at stdout; 0 when there is none.
std::size_t terminal_columns();

/// How a word is shown where colours are welcome: at a terminal that is not `dumb`, without NO_COLOR.
enum class Tone { plain, good, attention, bad, faint };
std::string toned(Tone tone, std::string_view text);

}  // namespace tgkeep::app
