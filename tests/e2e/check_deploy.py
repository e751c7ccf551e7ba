"""Checks deploy/ against the program: flags, variables, times, ports and paths, and each file by its own tool if there.

Usage: check_deploy.py SOURCE_DIR PROGRAM
"""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1])
program = str(pathlib.Path(sys.argv[2]).resolve())
deploy = root / "deploy"
problems = []


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    return done.returncode, done.stdout


def expect(truth, problem):
    if not truth:
        problems.append(problem)


def tool(name):
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")


def known_variables():
    """TGKEEP_… of every setting, from the printed defaults."""
    names, section = set(), ""
    for line in run(program, "config", "defaults")[1].splitlines():
        if found := re.fullmatch(r"\[([a-z]+)\]", line):
            section = found[1] + "_"
        elif found := re.match(r"(?:# )?([a-z_0-9]+) = ", line):
            names.add("TGKEEP_" + (section + found[1]).upper())
    return names


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
    drain = int(re.search(r'^drain = "(\d+)s"', run(program, "config", "defaults")[1], re.M)[1])
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


def check_nginx(scratch):
    if not tool("nginx") or not tool("openssl"):
        return
    certificate, key = scratch / "certificate.pem", scratch / "key.pem"
    run(tool("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=bot.example.org",
        "-keyout", str(key), "-out", str(certificate))
    text = (deploy / "nginx.conf").read_text()
    text = re.sub(r"(ssl_certificate) \S+;", rf"\1 {certificate};", text)
    text = re.sub(r"(ssl_certificate_key) \S+;", rf"\1 {key};", text)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    text = re.sub(r"\n *listen \[::\]:443 ssl;", "", text).replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    temporary = "".join(f"{name}_temp_path {scratch}/{name};\n"
                        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    whole = scratch / "nginx.conf"
    whole.write_text(f"pid {scratch}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}{text}}}\n")
    code, said = run(tool("nginx"), "-t", "-p", str(scratch), "-c", str(whole))
    expect(code == 0, "nginx -t: " + said)


def check_caddy():
    if tool("caddy"):
        code, said = run(tool("caddy"), "validate", "--adapter", "caddyfile", "--config", str(deploy / "Caddyfile"))
        expect(code == 0, "caddy validate: " + said)


with tempfile.TemporaryDirectory() as folder:
    os.environ = {name: value for name, value in os.environ.items() if not name.startswith("TGKEEP_")}
    check_unit(pathlib.Path(folder))
    check_config()
    check_nginx(pathlib.Path(folder))
    check_caddy()
if problems:
    sys.exit("\n".join(problems))
