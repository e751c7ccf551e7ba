"""Checks deploy/ against the program: flags, variables, times, ports and paths, and each file by its own tool if there.

Usage: check_deploy.py SOURCE_DIR PROGRAM
"""
import http.client
import os
import pathlib
import re
import ssl
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(root / "tests/support"), str(root / "scripts")]
from neighbours import Nginx, free_port, tool
from printed_settings import printed_settings

program = str(pathlib.Path(sys.argv[2]).resolve())
deploy = root / "deploy"
problems = []


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    return done.returncode, done.stdout


def expect(truth, problem):
    if not truth:
        problems.append(problem)


def known_variables():
    """TGKEEP_… of every setting."""
    return {setting.variable for setting in printed_settings(program)}


def default_drain():
    """In seconds."""
    drain = next(setting.default for setting in printed_settings(program) if setting.key == "drain")
    return int(re.fullmatch(r'"(\d+)s"', drain)[1])


def check_unit(scratch):
    text = (deploy / "tgkeep.service").read_text()
    start = re.search(r"^ExecStart=(\S+) (.*)$", text, re.M)
    arguments = start[2].split()
    code, usage = run(program, arguments[0], "--help")
    expect(code == 0, f"tgkeep.service: there is no command {arguments[0]}")
    for flag in (a for a in arguments[1:] if a.startswith("--")):
        expect(flag in usage, f"tgkeep.service: {arguments[0]} has no flag {flag}")
    known = known_variables()
    for name in re.findall(r"^#?Environment=(TGKEEP_[A-Z_]+)=", text, re.M):
        expect(name in known, f"tgkeep.service: there is no variable {name}")
    drain = default_drain()
    stop = int(re.search(r"^TimeoutStopSec=(\d+)$", text, re.M)[1])
    expect(stop > drain + 2, f"tgkeep.service: TimeoutStopSec={stop} is not above drain + 2 s = {drain + 2}")
    for line in ("DynamicUser=yes", "NoNewPrivileges=yes", "ProtectSystem=strict", "Restart=on-failure",
                 "ExecReload=/bin/kill -HUP $MAINPID"):
        expect(line in text.splitlines(), f"tgkeep.service: {line} is missing")
    if tool("systemd-analyze"):
        here = scratch / "tgkeep.service"
        here.write_text(text.replace(start[1], program))
        code, said = run(tool("systemd-analyze"), "verify", "--man=no", str(here))
        told = [line for line in said.splitlines() if "tgkeep" in line]
        expect(code == 0 and not told, "systemd-analyze verify: " + said)


def check_containers():
    """Dockerfile and compose.yaml name variables and files that exist."""
    known = known_variables() | {"TGKEEP_CONFIG", "TGKEEP_TOKEN"}
    for path in (root / "Dockerfile", deploy / "compose.yaml"):
        for name in set(re.findall(r"(?<!-D)\bTGKEEP_[A-Z_]*[A-Z]\b", path.read_text())) - known:
            if not re.search(name + r"_?\*", path.read_text()):
                problems.append(f"{path.name}: there is no variable {name}")
    for name in re.findall(r"-D(TGKEEP_\w+)=", (root / "Dockerfile").read_text()):
        expect(f"option({name} " in (root / "CMakeLists.txt").read_text(), f"Dockerfile: there is no option {name}")
    drain = default_drain()
    stop = int(re.search(r"stop_grace_period: (\d+)s", (deploy / "compose.yaml").read_text())[1])
    expect(stop > drain + 2, f"compose.yaml: stop_grace_period {stop} s is not above drain + 2 s")


def check_config():
    code, said = run(program, "config", "check", "--config", str(deploy / "tgkeep.toml"))
    expect(code == 0, "tgkeep.toml: " + said)
    text = (deploy / "tgkeep.toml").read_text()
    port = re.search(r"^port = (\d+)", text, re.M)[1]
    path = re.search(r'^path = "(\S+)"', text, re.M)[1]
    nginx, caddy = (deploy / "nginx.conf").read_text(), (deploy / "Caddyfile").read_text()
    expect(f"server 127.0.0.1:{port};" in nginx, f"nginx.conf: another port than tgkeep.toml's {port}")
    expect(f"reverse_proxy 127.0.0.1:{port}" in caddy, f"Caddyfile: another port than tgkeep.toml's {port}")
    expect(path.startswith(re.search(r"location (/\S+/) ", nginx)[1]), f"nginx.conf: {path} is not forwarded")
    expect(path.startswith(re.search(r"handle (/\S+/)\*", caddy)[1]), f"Caddyfile: {path} is not forwarded")


def post(port, path, headers):
    """The status of one update sent over TLS; tries until somebody listens."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    body = b'{"update_id":1,"message":{"message_id":1,"date":1,"chat":{"id":1,"type":"private"},"text":"x"}}'
    until = time.monotonic() + 20
    while True:
        connection = http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=20)
        try:
            connection.request("POST", path, body, {"Content-Type": "application/json", **headers})
            return connection.getresponse().status
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        finally:
            connection.close()


def check_nginx(scratch):
    """Runs tgkeep behind nginx with both files of deploy/."""
    if not tool("nginx") or not tool("openssl"):
        return
    back, nobody = free_port(), free_port()
    nginx = Nginx(scratch, back)
    front = nginx.port
    secret = {"X-Telegram-Bot-Api-Secret-Token": "the_secret"}
    variables = {"TGKEEP_TOKEN": "1:" + "A" * 35, "TGKEEP_IN_MEMORY": "true", "TGKEEP_LISTEN_PORT": str(back),
                 "TGKEEP_API_ROOT": f"http://127.0.0.1:{nobody}", "TGKEEP_WEBHOOK_SECRET": "the_secret",
                 "TGKEEP_HANDLER": "log", "TGKEEP_DRAIN": "0s"}
    for telegram_only, expected in (("false", 200), ("true", 403)):
        variables["TGKEEP_WEBHOOK_TELEGRAM_ONLY"] = telegram_only
        gateway = subprocess.Popen([program, "serve", "--config", str(deploy / "tgkeep.toml")], text=True,
                                   stderr=subprocess.PIPE, env={**os.environ, **variables})
        for line in gateway.stderr:
            if " started " in line:
                break
        # Telegram's own address, as a stranger would claim it.
        forged = {**secret, "X-Forwarded-For": "149.154.160.1"}
        got = post(front, "/telegram/bot", forged)
        expect(got == expected, f"behind nginx, telegram_only = {telegram_only}: {got} instead of {expected}")
        if telegram_only == "false":
            expect(post(front, "/telegram/bot", {}) == 401, "behind nginx: no 401 without the secret")
            expect(post(front, "/settle/1/x", secret) == 404, "behind nginx: a settle URL is reached")
        gateway.terminate()
        gateway.communicate(timeout=20)
    nginx.stop()


def check_caddy():
    if tool("caddy"):
        code, said = run(tool("caddy"), "validate", "--adapter", "caddyfile", "--config", str(deploy / "Caddyfile"))
        expect(code == 0, "caddy validate: " + said)


with tempfile.TemporaryDirectory() as folder:
    os.environ = {name: value for name, value in os.environ.items() if not name.startswith("TGKEEP_")}
    check_unit(pathlib.Path(folder))
    check_containers()
    check_config()
    check_nginx(pathlib.Path(folder))
    check_caddy()
if problems:
    sys.exit("\n".join(problems))
