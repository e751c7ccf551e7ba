"""docs/delivery.md names only tests that exist, and every promise has one that carries its number."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
tests = set()
for path in (root / "tests").rglob("*.cpp"):
    for suite, name in re.findall(r"^TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\s*\)", path.read_text(), re.M):
        tests.add(f"{suite}.{name}")

page = (root / "docs/delivery.md").read_text()
named = set(re.findall(r"`(\w+\.\w+)`", page))
problems = [f"docs/delivery.md names {name}, but there is no such test" for name in sorted(named - tests)]
for number in range(1, 13):
    if not any(re.search(rf"(?:^|[._])P{number}_", name) for name in named):
        problems.append(f"docs/delivery.md names no test for P{number}")
print("\n".join(problems))
sys.exit(1 if problems else 0)
