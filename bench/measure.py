"""What the rows of bars.py are measured with: processes, servers on loopback, loads, and the table of results."""
import contextlib
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "release"
PEERS = HERE / "peers"
PAIRS = int(os.environ.get("PAIRS", "5"))
SECONDS = os.environ.get("SECONDS", "4")
HISTORY_SECONDS = os.environ.get("HISTORY_SECONDS", "60")
WARM = "1"
TOKEN = "123456:AAbenchbenchbenchbenchbenchbenchbenc"
SCRATCH = Path(tempfile.mkdtemp(prefix="tgkeep_bench_", dir=os.environ.get("FOLDER")))


def program(name):
    return str(BUILD / "bench" / f"bench_{name}")


class Process:
    """A child that ends when its input is closed, or, after some grace, is killed."""

    def __init__(self, *command, **env):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                      cwd=PEERS, env={**os.environ, **env})

    def line(self):
        text = self.child.stdout.readline()
        if not text:
            sys.exit(f"bench: {self.child.args[0]} ended without an answer")
        return text.strip()

    def resident_mb(self):
        return self.memory_mb("VmRSS")

    def memory_mb(self, which):
        for line in Path(f"/proc/{self.child.pid}/status").read_text().splitlines():
            if line.startswith(which):
                return int(line.split()[1]) / 1024
        raise RuntimeError(f"no {which}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.stdin.close()
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        self.child.stdout.close()


def answer(*command, **env):
    """What a program says in its one line of JSON."""
    with Process(*command, **env) as process:
        return json.loads(process.line())


class Canned(Process):
    def __init__(self, *mode):
        super().__init__(program("canned_server"), *mode)
        self.root = f"http://127.0.0.1:{self.line()}"


def sync_ms():
    """What one durable write costs here: no store can commit more often."""
    times = []
    with open(SCRATCH / "sync", "wb", buffering=0) as file:
        file.write(b"x" * 65536)
        for _ in range(100):
            file.seek(0)
            file.write(os.urandom(65536))
            began = time.monotonic()
            os.fdatasync(file.fileno())
            times.append(1000 * (time.monotonic() - began))
    return statistics.median(times)


class Table:
    def __init__(self):
        self.rows = []

    def add(self, name, ours, peer, unit, bar, passed, ratio=""):
        row = (name, f"{ours} {unit}", f"{peer} {unit}" if peer != "-" else "-", ratio, bar, "pass" if passed else "FAIL")
        self.rows.append(row)
        print("  " + " | ".join(row), flush=True)

    def ratio(self, name, pairs, unit, bar, at_most=False):
        """Pairs of (ours, peer); the bar is on the median of their ratios."""
        ratio = statistics.median(ours / peer for ours, peer in pairs)
        ours, peer = (f"{statistics.median(side):,.0f}" for side in zip(*pairs))
        passed = ratio < bar if at_most else ratio >= bar
        self.add(name, ours, peer, unit, f"{'<' if at_most else '≥'} {bar} ×", passed, f"{ratio:.2f} ×")

    def below(self, name, values, unit, bar):
        value = statistics.median(values)
        self.add(name, f"{value:,.2f}" if value < 10 else f"{value:,.0f}", "-", unit, f"< {bar} {unit}", value < bar)

    def figure(self, name, values, unit):
        row = (name, f"{statistics.median(values):,.0f} {unit}", "-", "", "-", "")
        self.rows.append(row)
        print("  " + " | ".join(row), flush=True)

    def show(self):
        rows = [("row", "tgkeep", "peer", "ratio", "bar", ""), *self.rows]
        widths = [max(len(row[i]) for row in rows) for i in range(6)]
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


NGINX = """worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{ access_log off; keepalive_requests 100000000; client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  {what} }}
"""
RETURN = "server { listen 127.0.0.1:PORT; location / { return 200; } }"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    for _ in range(200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    sys.exit(f"bench: nothing listens on port {port}")


@contextlib.contextmanager
def nginx(what):
    folder = SCRATCH / "nginx"
    folder.mkdir(exist_ok=True)
    port = free_port()
    (folder / "conf").write_text(NGINX.format(folder=folder, what=what.replace("PORT", str(port))))
    with Process("/usr/sbin/nginx", "-c", str(folder / "conf"), "-e", str(folder / "error.log")) as process:
        wait_for(port)
        yield port
        process.child.terminate()


def shoot(port, script="post.lua", path="/webhook"):
    """Requests a second by wrk with 64 connections."""
    out = subprocess.run(["wrk", "-t1", "-c64", f"-d{SECONDS}s", "-s", str(PEERS / script),
                          f"http://127.0.0.1:{port}{path}"], check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in out:
        sys.exit(f"bench: not every answer was 2xx:\n{out}")
    return float(re.search(r"Requests/sec:\s*([\d.]+)", out)[1])
