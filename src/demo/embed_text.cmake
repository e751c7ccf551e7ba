# Writes OUT: the file IN as a C++ function NAME in tgkeep::demo, declared in HEADER, so that the program needs no other file.
file(READ ${IN} content)
file(WRITE ${OUT} "// Made by embed_text.cmake from ${IN}.\n#include \"${HEADER}\"\n\nnamespace tgkeep::demo {\n\n"
  "std::string_view ${NAME}() noexcept { return R\"text(${content})text\"; }\n\n}  // namespace tgkeep::demo\n")
