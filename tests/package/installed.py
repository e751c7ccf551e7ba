"""The Debian package on this machine: installs it with dpkg, runs it, and takes all traces away at the end."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from neighbours import tool

SKIP = 77
UNIT = pathlib.Path("/lib/systemd/system/tgkeep.service")
CONFIG = pathlib.Path("/etc/tgkeep/tgkeep.toml")
TOKEN = pathlib.Path("/etc/tgkeep/token")
STATE = pathlib.Path("/var/lib/tgkeep")
BACKUPS = pathlib.Path("/var/backups/tgkeep")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TGKEEP_")}


def skip_unless_free():
    """This test needs a machine where it may install the package and remove it again."""
    if os.geteuid() != 0:
        print("not root: can't install a package")
        sys.exit(SKIP)
    missing = [name for name in ("dpkg", "cpack", "adduser", "setpriv") if not tool(name)]
    if missing:
        print("there is no", " and no ".join(missing))
        sys.exit(SKIP)
    taken = [str(path) for path in (pathlib.Path("/usr/bin/tgkeep"), CONFIG.parent, STATE, BACKUPS) if path.exists()]
    if taken or state_of_package():
        print("tgkeep is installed on this machine; it is left alone:", *taken)
        sys.exit(SKIP)


def run(*command, code=0, **more):
    """What a command said on both streams; fails loudly if it ends with another code."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=100, env={**ENVIRONMENT, "DEBIAN_FRONTEND": "noninteractive"},
                          stdin=subprocess.DEVNULL, **more)
    if code is not None and done.returncode != code:
        raise AssertionError(f"{shlex.join(str(w) for w in command)}: {done.returncode}, not {code}\n{done.stdout}")
    return done.stdout


def expect(truth, words):
    if not truth:
        raise AssertionError(words)


def wait_for(what, condition, limit=60):
    """Asks until the condition holds; what it returned."""
    until = time.monotonic() + limit
    while True:
        got = condition()
        if got:
            return got
        if time.monotonic() > until:
            raise AssertionError(f"waited {limit} s in vain: {what() if callable(what) else what}")
        time.sleep(0.1)


def state_of_package():
    said = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Abbrev}", "tgkeep"], capture_output=True, text=True)
    return "" if said.returncode else said.stdout.strip()


def packages(folder):
    """What build_packages.py has made: this version, and a later one."""
    return tuple(next(pathlib.Path(folder, age).glob("*.deb")) for age in ("this", "later"))


def remove_all_traces():
    if state_of_package():
        run("dpkg", "--purge", "--force-remove-reinstreq", "tgkeep", code=None)
    for folder in (STATE, BACKUPS, CONFIG.parent):
        shutil.rmtree(folder, ignore_errors=True)
    run("deluser", "--quiet", "--system", "tgkeep", code=None)
    run("delgroup", "--quiet", "--system", "--only-if-empty", "tgkeep", code=None)


def as_service(*command):
    """The command as the service's user."""
    return ["setpriv", "--reuid=tgkeep", "--regid=tgkeep", "--init-groups", *command]


class Emulator:
    """`tgkeep emulate` of the build, so that it lives through upgrades of the package."""

    def __init__(self, program, token, *options):
        self._program = program
        self._process = subprocess.Popen([program, "emulate", "--port", "0", "--no-limits", "--bot", token, *options],
                                         stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.url = re.search(r"Listening on (\S+)", self._process.stdout.readline())[1]

    def ask(self, *words):
        return json.loads(run(self._program, "emulate", "--to", self.url, *words))

    def stop(self):
        self._process.terminate()
        self._process.wait(timeout=20)


class Service:
    """What systemd would start: the unit's ExecStart line, as its user, with its variables."""

    def __init__(self, log, **variables):
        unit = UNIT.read_text()
        expect("User=tgkeep" in unit, "the unit does not name its user")
        line = re.search(r"^ExecStart=(.*)$", unit, re.M)[1]
        of_unit = dict(re.findall(r"^Environment=(\w+)=(.*)$", unit, re.M))
        self.log = pathlib.Path(log)
        self._file = open(self.log, "ab")
        self._process = subprocess.Popen(as_service(*shlex.split(line)), stdout=self._file, stderr=self._file, cwd="/",
                                         stdin=subprocess.DEVNULL, env={**ENVIRONMENT, **of_unit, **variables},
                                         umask=0o077)

    def says(self, words, limit=60):
        """Waits until the log has the words."""

        def there():
            expect(self._process.poll() is None or words in self.log.read_text(), "it ended:\n" + self.log.read_text())
            return words in self.log.read_text()
        try:
            wait_for(words, there, limit)
        except AssertionError as wrong:
            raise AssertionError(f"{wrong}\n{self.log.read_text()}") from None

    def wait(self):
        return self._process.wait(timeout=60)

    def signal(self, number):
        self._process.send_signal(number)

    def stop(self):
        if self._process.poll() is None:
            self._process.terminate()
        return self.wait()
