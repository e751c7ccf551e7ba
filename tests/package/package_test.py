"""The Debian package from its build to its purge: what it installs, that its unit's line runs as its user, that an upgrade
keeps queues and configuration, that an older program never gets at a newer store, and what remains when.

Usage: package_test.py SOURCE_DIR PROGRAM PACKAGES
"""
import json
import os
import pathlib
import re
import sys
import tempfile

from installed import (BACKUPS, CONFIG, STATE, TOKEN, UNIT, Emulator, Service, as_service, expect, packages, remove_all_traces, run,
                       skip_unless_free, state_of_package, tool, wait_for)

program = pathlib.Path(os.environ.get("TGKEEP_BIN") or sys.argv[2]).resolve()
BOT_TOKEN = "4242:" + "A" * 35
FOLDER = STATE  # of a single bot


def inbox():
    said = run(*as_service("tgkeep", "status", "--json", "--config", str(CONFIG)))
    return json.loads(said)["bots"][0]["inbox"]


def handle(emulator, log, first, count):
    """Serves until `count` more texts are done; everything ever stored is then accounted for."""
    service = Service(log, TGKEEP_API_ROOT=emulator.url)
    service.says(" started ")
    for number in range(count):
        emulator.ask("send-text", f"user={number % 5 + 1}", "text=hello")
    wait_for(lambda: f"all done, not {inbox()}\n{log.read_text()}", lambda: inbox()["done"] == first + count)
    code = service.stop()
    expect(code == 0, f"stopped with {code}")
    after = inbox()
    expect(after["stored"] == after["done"] == first + count and after["balanced"], f"not accounted for: {after}")


def check_package(deb, scratch):
    told = run("dpkg-deb", "--field", deb)
    for words in ("libsqlite3-0", "libcurl4", "adduser", "Section: net"):
        expect(words in told, f"{words} is missing in\n{told}")
    # Not as installed: some machines leave out man pages and documents.
    run("dpkg-deb", "-x", deb, scratch)
    for path in ("usr/bin/tgkeep", "usr/share/man/man1/tgkeep.1.gz", "usr/share/bash-completion/completions/tgkeep",
                 "usr/share/zsh/vendor-completions/_tgkeep", "usr/share/fish/vendor_completions.d/tgkeep.fish",
                 "usr/share/tgkeep/grafana/tgkeep.json", "usr/share/tgkeep/prometheus/alerts.yml",
                 "usr/share/doc/tgkeep/copyright", "usr/share/doc/tgkeep/docs/operations.md"):
        expect((scratch / path).stat().st_size > 0, path)
    run("bash", "-n", scratch / "usr/share/bash-completion/completions/tgkeep")
    if tool("man"):
        said = run("man", "--warnings", "-E", "UTF-8", "-l", scratch / "usr/share/man/man1/tgkeep.1.gz")
        expect("replay" in said and not re.search(r":\d+: warning", said), "the man page: " + said)
    if tool("lintian"):
        print(run("lintian", "--fail-on", "error", "--tag-display-limit", "0", "--allow-root", deb))


def check_installed():
    expect(state_of_package() == "ii", "state " + state_of_package())
    expect(STATE.owner() == "tgkeep" and STATE.stat().st_mode & 0o777 == 0o700, "/var/lib/tgkeep is open to others")
    expect(TOKEN.owner() == "root" and TOKEN.group() == "tgkeep" and TOKEN.stat().st_mode & 0o777 == 0o640, "rights of token")
    if tool("systemd-analyze"):
        said = run("systemd-analyze", "verify", "--man=no", UNIT)
        expect("tgkeep" not in said, "systemd-analyze verify: " + said)
        run("systemd-analyze", "security", "--offline=true", "--threshold=30", UNIT)


def check_config(code):
    return run(*as_service("tgkeep", "config", "check", "--config", str(CONFIG)), code=code)


def check_without_token(log):
    said = check_config(2)
    expect("/etc/tgkeep/token" in said, "which file is missing: " + said)
    service = Service(log)
    expect(service.wait() == 2, "without a token it must end with 2")
    expect("/etc/tgkeep/token" in log.read_text(), "which file is missing: " + log.read_text())


def check_newer_store(old, scratch):
    """The older package is refused while there is a store it can't read, and so is such a store by the program."""
    upgraded = run("dpkg-query", "-W", "-f", "${Version}", "tgkeep")
    database = str(FOLDER / "inbox.db")
    schema = run("sqlite3", database, "PRAGMA user_version").strip()
    run("sqlite3", database, f"PRAGMA user_version={int(schema) + 1}; PRAGMA wal_checkpoint(TRUNCATE)")
    run("chown", "-R", "tgkeep:tgkeep", STATE)
    said = run("dpkg", "-i", old, code=1)
    expect("was written by a newer tgkeep" in said and database in said, said)
    expect(run("dpkg-query", "-W", "-f", "${Version}", "tgkeep") == upgraded and state_of_package() == "ii",
           "the newer package is not there any more")
    log = scratch / "refused.log"
    service = Service(log)
    expect(service.wait() != 0 and "version" in log.read_text(), "a newer store is not refused: " + log.read_text())
    run("sqlite3", database, f"PRAGMA user_version={schema}; PRAGMA wal_checkpoint(TRUNCATE)")
    run("chown", "-R", "tgkeep:tgkeep", STATE)


def story(scratch, emulator):
    old, new = packages(sys.argv[3])
    check_package(old, scratch / "unpacked")

    said = run("dpkg", "-i", old)
    expect("systemctl enable --now tgkeep" in said, "it does not say what to do: " + said)
    check_installed()
    check_without_token(scratch / "no_token.log")
    TOKEN.write_text(BOT_TOKEN + "\n")
    check_config(0)
    handle(emulator, scratch / "first.log", 0, 20)

    CONFIG.write_text(CONFIG.read_text().replace('reserve = "64MiB"', 'reserve = "65MiB"'))
    run("dpkg", "-i", new)
    expect("65MiB" in CONFIG.read_text() and TOKEN.stat().st_size > 0, "an upgrade has changed the configuration")
    expect(inbox()["done"] == 20, "an upgrade has changed the queues")
    handle(emulator, scratch / "second.log", 20, 5)

    check_newer_store(old, scratch)
    expect("downgrading" in run("dpkg", "-i", old), "no word about a downgrade")
    handle(emulator, scratch / "third.log", 25, 5)

    run("dpkg", "--remove", "tgkeep")
    expect(not pathlib.Path("/usr/bin/tgkeep").exists() and CONFIG.exists() and TOKEN.exists()
           and (FOLDER / "inbox.db").exists(), "a removal takes the program and leaves the rest")
    run("dpkg", "-i", old)
    handle(emulator, scratch / "fourth.log", 30, 5)
    run("dpkg", "--purge", "tgkeep")
    left = [str(path) for path in (STATE, BACKUPS, CONFIG.parent, UNIT) if path.exists()]
    expect(not left, f"a purge leaves {left}")


skip_unless_free()
with tempfile.TemporaryDirectory() as folder:
    emulator = Emulator(program, BOT_TOKEN)
    try:
        story(pathlib.Path(folder), emulator)
    finally:
        emulator.stop()
        remove_all_traces()
print("installed, run, upgraded, kept from a downgrade, removed and purged")
