"""Checks every include of include/ and src/ against the rooms of docs/architecture.md, and the size of each file.

Usage: check_rooms.py SOURCE_DIR
"""
import pathlib
import re
import sys

WORDS = {"error", "log", "time", "update", "outcome", "id"}
# What a room may include of ours, besides itself and the words.
ROOMS = {
    "words": set(),
    "ports": set(),
    "rules": set(),
    "loop": {"clock.hpp"},
    "calls": {"ports", "rules", "loop"},
    "http": {"loop", "clock.hpp"},
    "telegram": {"ports", "http"},
    "store": {"ports", "rules", "loop"},
    "source": {"ports", "rules", "loop", "http", "telegram"},
    "sink": {"ports", "rules", "loop", "http", "telegram"},
    "face": {"ports", "rules", "loop", "http", "telegram", "sink"},
    "runner": {"ports", "rules", "loop"},
    "bot": {"ports", "rules", "telegram"},
    "emulator": {"ports", "rules", "loop", "http", "telegram"},
    "dashboard": set(),
    "admin": {"ports", "loop", "http"},
    "prove": {"ports", "rules", "loop", "http", "telegram", "store", "source", "sink", "runner", "emulator"},
    "demo": {"ports", "rules", "loop", "http", "telegram", "store", "source", "sink", "runner", "emulator",
             "prove"},
    "app": {"ports", "rules", "loop", "http", "telegram", "store", "source", "sink", "runner", "emulator", "prove",
            "demo", "admin", "bot", "calls", "dashboard", "face"},
}
# Libraries, and the rooms that may see them; what is not listed here is refused (the standard library is not a library).
ASIO = "loop calls http telegram store source sink face runner bot emulator admin prove demo app".split()
LIBRARIES = [
    (r"boost/(system|assert)/.*", list(ROOMS)),
    (r"boost/assert\.hpp", list(ROOMS)),
    (r"boost/asio/impl/src\.hpp", ["ports"]),  # Asio's own bodies, compiled once
    (r"boost/asio/(awaitable|any_io_executor)\.hpp", ["ports", *ASIO]),
    (r"boost/asio/.*", ASIO),
    (r"boost/(asio|beast)\.hpp|boost/beast/.*", ["http"]),
    (r"boost/beast/src\.hpp", ["http"]),
    (r"boost/json/fwd\.hpp", list(ROOMS)),
    (r"boost/unordered/.*", ["rules", "store", "runner", "emulator"]),
    (r"boost/json.*", ["telegram", "source", "sink", "face", "store", "bot", "emulator", "admin", "prove", "demo", "app"]),
    (r"simdjson\.h", ["telegram", "emulator"]),
    (r"(curl|openssl)/.*", ["http"]),
    (r"prometheus/.*", ["admin"]),
    (r"sqlite3\.h", ["store", "prove", "demo"]),
    (r"(spdlog|fmt|CLI)/.*|toml\+\+/.*", ["app"]),
    (r"(sys|arpa|netinet|linux)/.*|(unistd|fcntl|signal|pthread|poll|pwd|time|stdlib|spawn|zlib)\.h", list(ROOMS)),
]
# Headers that show a library to whoever includes them are never public.
HIDDEN = re.compile(r"boost/beast|sqlite3|curl/|openssl/|rdkafka|amqp|prometheus/|spdlog|toml\+\+|CLI/")
MAX_LINES = 400


def room_of(path):
    if path.parts[0] == "include":
        return "words" if path.stem in WORDS else "ports"
    return path.parts[1]


def allowed(room, included):
    """Whether a file of `room` may include the text between the brackets or quotes."""
    if included.startswith("tgkeep/"):
        name = included.removeprefix("tgkeep/")
        if pathlib.PurePath(name).stem in WORDS or room == "ports" or name in ROOMS[room]:
            return True
        return "ports" in ROOMS[room]
    top = included.split("/")[0]
    if top in ROOMS and "/" in included:
        return top in (room, "words") or top in ROOMS[room]
    for pattern, rooms in LIBRARIES:
        if re.fullmatch(pattern, included):
            return room in rooms
    return re.fullmatch(r"[a-z_0-9]+", included) is not None


def main(source_dir):
    root = pathlib.Path(source_dir)
    problems = []
    files = sorted(f for top in ("include", "src") for f in (root / top).rglob("*") if f.suffix in (".hpp", ".cpp"))
    for file in files:
        path = file.relative_to(root)
        room = room_of(path)
        if room not in ROOMS:
            problems.append(f"{path}: src/{room} is no room: add it to the table here and to docs/architecture.md")
            continue
        lines = file.read_text().splitlines()
        if len(lines) > MAX_LINES:
            problems.append(f"{path}: {len(lines)} lines, at most {MAX_LINES}: one idea per file")
        for number, line in enumerate(lines, 1):
            include = re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line)
            if not include:
                continue
            if not allowed(room, include[1]):
                problems.append(f"{path}:{number}: the room {room} may not include {include[1]}")
            if path.parts[0] == "include" and HIDDEN.search(include[1]):
                problems.append(f"{path}:{number}: a public header must not show {include[1]}")
    print("\n".join(problems) or f"{len(files)} files keep to their rooms")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
