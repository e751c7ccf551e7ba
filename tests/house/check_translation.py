"""README.zh-CN.md has what README.md has: the same headings by level, the same code (comments may be translated), the same
lists, and the same links in the same order.

Usage: check_translation.py SOURCE_DIR
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
problems = []


class Page:
    def __init__(self, name):
        text = (root / name).read_text()
        self.fenced = re.findall(r"^```.*?^```", text, re.M | re.S)
        prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
        self.levels = [len(marks) for marks in re.findall(r"^(#+) ", prose, re.M)]
        # In a list of commands what stands after two blanks or `#` is for people.
        self.commands = [re.split(r"\s{2,}|\s+# ", line.strip())[0]
                         for line in re.findall(r"^ {4}.+$", prose, re.M)]
        self.items = re.findall(r"^- ", prose, re.M)
        self.links = [link for link in re.findall(r"\]\(([^)]+)\)", prose) if not link.startswith("README")]
        self.names = sorted(set(re.findall(r"`([^`]+)`", prose)))


english, chinese = Page("README.md"), Page("README.zh-CN.md")
for part in ("levels", "fenced", "commands", "items", "links", "names"):
    one, other = getattr(english, part), getattr(chinese, part)
    if one != other:
        problems.append(f"README.zh-CN.md differs in its {part}:\n  only in README.md: {[x for x in one if x not in other]}\n"
                        f"  only in README.zh-CN.md: {[x for x in other if x not in one]}")
print("\n".join(problems) or "both say the same")
sys.exit(1 if problems else 0)
