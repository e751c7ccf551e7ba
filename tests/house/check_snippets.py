"""The C++ in README.md and the guides stands, line for line, in an example or in tests/guides, which are compiled; the code in
docs/frameworks.md in tests/face, which is run, unless its heading says untested; and the tests that the guides name exist.

Usage: check_snippets.py SOURCE_DIR
"""
import pathlib
import re
import sys

GUIDES = ["README.md", "docs/api.md", "docs/concurrency.md", "docs/reliability.md"]

root = pathlib.Path(sys.argv[1])


def lines_of(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def stands_in(part, whole):
    return any(whole[at:at + len(part)] == part for at in range(len(whole) - len(part) + 1))


compiled = [lines_of(path.read_text())
            for folder in ("examples", "tests/guides") for path in (root / folder).rglob("*.cpp")]
tests = set()
for path in (root / "tests").rglob("*.cpp"):
    for suite, name in re.findall(r"^TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\s*\)", path.read_text(), re.M):
        tests.add(f"{suite}.{name}")

problems = []
snippets = 0
for guide in GUIDES:
    page = (root / guide).read_text()
    for snippet in re.findall(r"^```cpp\n(.*?)^```", page, re.M | re.S):
        snippets += 1
        if not any(stands_in(lines_of(snippet), whole) for whole in compiled):
            problems.append(f"{guide}: no example and no file of tests/guides has\n{snippet}")
    for name in sorted(set(re.findall(r"`([A-Z]\w+\.\w*_\w+)`", page)) - tests):
        problems.append(f"{guide} names {name}, but there is no such test")
run = [lines_of(path.read_text()) for suffix in ("*.mjs", "*.py", "*.go") for path in (root / "tests/face").glob(f"*/{suffix}")]
for section in (root / "docs/frameworks.md").read_text().split("\n## ")[1:]:
    if not section.split("\n", 1)[0].endswith("(untested)"):
        for snippet in re.findall(r"^```(?:js|python|go)\n(.*?)^```", section, re.M | re.S):
            snippets += 1
            if not any(stands_in(lines_of(snippet), whole) for whole in run):
                problems.append(f"docs/frameworks.md: no file of tests/face has\n{snippet}")
print("\n".join(problems) or f"{snippets} pieces of code are compiled or run")
sys.exit(1 if problems or not snippets else 0)
