"""Metrics and labels named in the Grafana board and in the alert rules exist (docs/metrics.md, the golden exposition), and what
the alerts tell people to read is there. The board's layout is looked at, too.

Usage: check_metrics.py SOURCE_DIR
"""
import json
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
board = json.loads((root / "deploy/grafana/tgkeep.json").read_text())
rules = (root / "deploy/prometheus/alerts.yml").read_text()
page = (root / "docs/metrics.md").read_text()
problems = []


def plain(name):
    return re.sub(r"_(bucket|count|sum)$", "", name)


golden = (root / "tests/golden/metrics.txt").read_text()
exposed = set(re.findall(r"^# TYPE (\w+) ", golden, re.M))
documented = set(re.findall(r"`(tgkeep_\w+|process_\w+)", page))
if golden and (missing := exposed - documented):
    problems.append(f"docs/metrics.md does not name {sorted(missing)}")
if golden and (gone := {name for name in documented if plain(name) not in exposed}):
    problems.append(f"docs/metrics.md names what is not exposed: {sorted(gone)}")

panels = [panel for panel in board["panels"] if panel["type"] != "row"]
for where, text in (("the board", " ".join(target["expr"] for panel in panels for target in panel["targets"])),
                    ("alerts.yml", re.sub(r"annotations:.*?(?=\n\n|\Z)", "", rules, flags=re.S))):
    for name in sorted({plain(found) for found in re.findall(r"\btgkeep_[a-z_]+", text)}):
        if name not in documented:
            problems.append(f"{where} asks for {name}, which docs/metrics.md does not name")
    for name, labels in re.findall(r"\b(tgkeep_\w+)\{([^}]*)\}", text):
        for label in re.findall(r'(\w+="[^"]*")', labels):
            if not re.search(rf"^{name}\{{.*\b{re.escape(label)}", golden, re.M):
                problems.append(f"{where} asks for {name} with {label}, which is not exposed")

taken = {}
for panel in board["panels"]:
    at = panel["gridPos"]
    for x in range(at["x"], at["x"] + at["w"]):
        for y in range(at["y"], at["y"] + at["h"]):
            if (x, y) in taken or x >= 24:
                problems.append(f"the panel {panel['title']} lies over {taken.get((x, y))}")
                break
            taken[x, y] = panel["title"]
if len({panel["id"] for panel in board["panels"]}) != len(board["panels"]):
    problems.append("two panels have one id")

for alert in re.split(r"(?m)^      - alert: ", rules)[1:]:
    name = alert.split("\n")[0]
    for part in ("summary:", "description:", "todo:", "severity:"):
        if part not in alert:
            problems.append(f"{name} has no {part}")
    anchor = re.search(r"docs/(\w+\.md)#([\w-]+)", alert)
    if not anchor:
        problems.append(f"{name} does not say where to read on")
        continue
    headings = [re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", line.lstrip("# ").lower())).strip("-")
                for line in (root / "docs" / anchor[1]).read_text().splitlines() if line.startswith("#")]
    if anchor[2] not in headings:
        problems.append(f"{name}: docs/{anchor[1]} has no heading {anchor[2]}")

print("\n".join(problems) or f"{len(panels)} panels and {rules.count('- alert:')} alerts ask for what exists")
sys.exit(1 if problems else 0)
