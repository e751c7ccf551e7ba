"""The documents for operators speak of what exists: links and anchors lead somewhere, settings, commands with their flags, log
events, codes and reasons are the program's.

Usage: check_documents.py SOURCE_DIR PROGRAM
"""
import functools
import pathlib
import re
import shlex
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "scripts"))
from printed_settings import printed_settings

program = sys.argv[2]
PAGES = ["README.md", "README.zh-CN.md", *(f"docs/{path.name}" for path in sorted((root / "docs").glob("*.md")))]
COMMANDS_IN = ["README.md", "docs/getting_started.md", "docs/operations.md", "docs/troubleshooting.md", "docs/metrics.md",
               "docs/configuration.md"]
WORDS_IN = ["docs/troubleshooting.md"]
# Of others: words of Telegram, systemd and the like that stand in backticks on these pages.
FOREIGN = {"update_id", "balanced"}
problems = []


def anchors(page):
    """As mkdocs makes them of headings."""
    found, fenced = set(), False
    for line in page.read_text().splitlines():
        fenced ^= line.startswith("```")
        if not fenced and (heading := re.match(r"#+ (.*)", line)):
            text = re.sub(r"[^\w\s-]", "", heading[1].lower())
            found.add(re.sub(r"[-\s]+", "-", text.strip()))
    return found


def check_links(name):
    page = root / name
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", page.read_text(), flags=re.S)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            problems.append(f"{name}: nothing is at {target}")
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            problems.append(f"{name}: {target} names no heading")


@functools.cache
def help_of(*words):
    done = subprocess.run([program, *words, "--help"], capture_output=True, text=True, timeout=60)
    return done.stdout if done.returncode == 0 else ""


def is_command(words, word):
    """Also one that the help does not list."""
    return re.fullmatch(r"[a-z-]+", word) and help_of(*words, word) not in ("", help_of(*words))


def check_command(name, line):
    words = shlex.split(re.sub(r"\s#.*|…", "", line))
    words = words[words.index("tgkeep", words.index("-u") + 2 if "-u" in words else 0) + 1:]
    command = []
    while words and is_command(command, words[0]):
        command.append(words.pop(0))
    if words and not words[0].startswith("-") and "SUBCOMMAND" in help_of(*command).partition("\n\n")[0]:
        problems.append(f"{name}: tgkeep {' '.join(command)} has no {words[0]}: {line.strip()}")
        return
    for flag in (word.partition("=")[0] for word in words if word.startswith("--")):
        if not re.search(re.escape(flag) + r"\b", help_of(*command)):
            problems.append(f"{name}: tgkeep {' '.join(command)} has no {flag}: {line.strip()}")


def check_commands(name):
    text = (root / name).read_text()
    shown = re.findall(r"^(?: {4,}|\$ )((?:sudo .*?-u tgkeep )?tgkeep [a-z].*)$", text, re.M)
    # `config defaults|check` stands for two commands.
    for line in shown + re.findall(r"`(tgkeep [a-z][^`]*)`", text):
        line = re.split(r"   ", line)[0]
        for variant in alternatives(line):
            check_command(name, variant)


def alternatives(line):
    """`dead ls|show` is two commands; what stands in brackets may be left out."""
    line = re.sub(r"\[|\]", "", line)
    found = re.search(r"[a-z-]+(?:\|[a-z-]+)+", line)
    return [line.replace(found[0], one) for one in found[0].split("|")] if found else [line]


@functools.cache
def settings():
    return {setting.key for setting in printed_settings(program)}


def check_settings(name):
    sections = {setting.split(".")[0] for setting in settings() if "." in setting}
    text = (root / name).read_text()
    for word in re.findall(r"`([a-z]+\.[a-z_0-9]+)(?: = [^`]*)?`", text):
        if word.split(".")[0] in sections and word not in settings() and not word.endswith((".db", ".sock", ".commits", ".lock", ".json")):
            problems.append(f"{name}: there is no setting {word}")


def check_words(name):
    source = "\n".join(path.read_text() for folder in ("src", "include") for path in (root / folder).rglob("*.[ch]pp"))
    known = set(re.findall(r'"([a-z_]+)"', source)) | set(re.findall(r"^  ([a-z_]+),", source, re.M)) | settings()
    for word in set(re.findall(r"`([a-z]+(?:_[a-z]+)*)`", (root / name).read_text())) - FOREIGN:
        if word not in known and not is_command((), word) and not re.fullmatch(r"status_\d+", word):
            problems.append(f"{name}: the program never says {word}")


for page in PAGES:
    check_links(page)
    check_settings(page)
for page in COMMANDS_IN:
    check_commands(page)
for page in WORDS_IN:
    check_words(page)
print("\n".join(problems) or f"{len(PAGES)} documents speak of what exists")
sys.exit(1 if problems else 0)
