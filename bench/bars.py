#!/usr/bin/env python3
"""bench/bars.py [ROW…]: the bars of docs/benchmarks.md, each as medians of interleaved pairs, with pass or fail.

Both sides of a row run in turn, in one run on one machine. Everything is on loopback, bounded in time, and ends with
this script. Rows: poll poll_history memory_poll direct_poll direct_poll_pool run webhook webhook_rabbit steady push
lanes idle backlog. Environment: PAIRS (5), SECONDS (4) of one measurement, HISTORY_SECONDS (60) of one with history,
BACKLOG (1000000), FOLDER where the stores are made (the system's temporary one).
"""
import contextlib
import json
import os
import re
import shutil
import socket
import sqlite3
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
BACKLOG = os.environ.get("BACKLOG", "1000000")
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
        for line in Path(f"/proc/{self.child.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        raise RuntimeError("no VmRSS")

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


def lanes(table):
    def ours():
        text = subprocess.run([program("lanes"), "--benchmark_filter=^two_keys/500$", "--benchmark_format=json"],
                              check=True, capture_output=True, text=True).stdout
        return json.loads(text)["benchmarks"][0]["items_per_second"]

    pairs = [(ours(), answer("node", "sequentialize.js")["per_s"]) for _ in range(PAIRS)]
    table.ratio("lanes, 2 keys an update vs sequentialize", pairs, "/s", 5)


def poll_rate(store):
    folder = SCRATCH / "poll"
    shutil.rmtree(folder, ignore_errors=True)
    with Canned() as server:
        if store == "history":
            ours = answer(program("poll"), server.root, str(folder), WARM, HISTORY_SECONDS, "history")
            print(f"  {kept(folder)}", flush=True)
        else:
            place = "memory" if store == "memory" else str(folder)
            ours = answer(program("poll"), server.root, place, WARM, SECONDS)
    shutil.rmtree(folder, ignore_errors=True)
    return ours


def kept(folder):
    """Where the finished items of a stopped store are: the row is worth nothing if they are nowhere."""
    def number(path, sql):
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            return database.execute(sql).fetchone()[0]

    done = number(folder / "inbox.db", "SELECT value FROM total WHERE queue=0 AND name='done'")
    waiting = number(folder / "inbox.db", "SELECT count(*) FROM done")
    files = sorted((folder / "history").glob("*.db"))
    items = sum(number(file, "SELECT count(*) FROM item") for file in files)
    size = sum(file.stat().st_size for file in files)
    return f"{done:,} done: {items:,} in day files ({size / 1e9:.2f} GB), {waiting:,} wait for the archiver"


def direct_rate(where):
    with Canned() as server:
        return answer(program("direct_poll"), server.root, where, WARM, SECONDS)


def grammy_rate():
    with Canned() as server:
        return answer("node", "grammy_runner.js", API_ROOT=server.root, WARM=WARM, SECONDS=SECONDS)


def compare_poll(table, rate, name, bar):
    pairs = []
    for _ in range(PAIRS):
        ours, peer = rate(), grammy_rate()
        pairs.append((ours["per_s"], peer["per_s"]))
        print(f"  {ours['per_s']:,.0f}/s at {ours['cpu_us']:.1f} µs CPU | grammY {peer['per_s']:,}/s at "
              f"{peer['cpu_us']:.1f} µs CPU", flush=True)
    table.ratio(name, pairs, "/s", bar)


def poll(table):
    compare_poll(table, lambda: poll_rate("sqlite"), "poll → durable → handler → done vs grammY runner", 1)


def poll_history(table):
    """A bar for what users get: history as by default, with its archiving going on all the time."""
    compare_poll(table, lambda: poll_rate("history"), "the same with history, over a minute", 0.6)


def memory_poll(table):
    compare_poll(table, lambda: poll_rate("memory"), "the same in memory", 3)


def direct_poll(table):
    compare_poll(table, lambda: direct_rate("loop"), "poll → consumer on the loop, without a store", 3)


def direct_poll_pool(table):
    compare_poll(table, lambda: direct_rate("pool"), "poll → consumer on the pool, without a store", 1)


def run(table):
    """No bar: one update from a supplier in memory to a consumer that does nothing."""
    figures = {}
    for _ in range(PAIRS):
        text = subprocess.run([program("run"), "--benchmark_format=json"], check=True, capture_output=True, text=True).stdout
        for row in json.loads(text)["benchmarks"]:
            figures.setdefault(row["name"], []).append(1e9 / row["items_per_second"])
    modes = ["sequential", "in batches", "concurrent"]
    for name, values in figures.items():
        pool, mode, ordered = (int(part.split(":")[1]) for part in name.split("/")[1:4])
        where = "pool" if pool else "loop"
        table.figure(f"run(supplier, consumer) on the {where}, {modes[mode]}, {'by chat' if ordered else 'unordered'}",
                     values, "ns")


def idle(table):
    pairs = []
    for _ in range(PAIRS):
        with Canned("idle") as server:
            with Process(str(BUILD / "tgkeep"), "serve", "--api-root", server.root, "--folder", str(SCRATCH / "idle"),
                         "--log-level", "error", TGKEEP_TOKEN="123456:AAbenchbenchbenchbenchbenchbenchbenc") as ours:
                time.sleep(3)
                mine = ours.resident_mb()
                ours.child.terminate()
            with Process("node", "grammy_runner.js", API_ROOT=server.root, IDLE="1") as peer:
                time.sleep(3)
                pairs.append((mine, peer.resident_mb()))
    table.ratio("resident memory, idle vs grammY bot", pairs, "MB", 0.3, at_most=True)


def backlog(table):
    """Memory and time to the first delivery, with a million updates pending."""
    starts = []
    for keys in ("1", "1000", BACKLOG):
        folder = SCRATCH / f"backlog_{keys}"
        subprocess.run([program("backlog"), "make", str(folder), BACKLOG, keys], check=True)
        resident = []
        with Canned("idle") as server:
            for _ in range(PAIRS):
                began = time.monotonic()
                with Process(program("backlog"), "start", str(folder), server.root) as ours:
                    ours.line()
                    starts.append(time.monotonic() - began)
                    time.sleep(4)  # it goes on to look at all of them
                    resident.append(ours.resident_mb())
        shutil.rmtree(folder)
        table.below(f"resident memory, {int(BACKLOG):,} pending of {int(keys):,} keys", resident, "MB", 150)
    table.below(f"start with {int(BACKLOG):,} pending to first delivery", starts, "s", 2)


NGINX = """worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{ access_log off; keepalive_requests 100000000; client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port}; location / {{ return 200; }} }} }}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def three_free_ports():
    """The first of three in a row, below those the system gives to clients."""
    for first in range(18_000, 30_000, 3):
        probes = [socket.socket() for _ in range(3)]
        try:
            for i, probe in enumerate(probes):
                probe.bind(("127.0.0.1", first + i))
            return first
        except OSError:
            continue
        finally:
            for probe in probes:
                probe.close()
    sys.exit("bench: no three free ports in a row")


def shoot(port):
    """Requests a second by wrk with 64 connections."""
    out = subprocess.run(["wrk", "-t1", "-c64", f"-d{SECONDS}s", "-s", str(PEERS / "post.lua"),
                          f"http://127.0.0.1:{port}/webhook"], check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in out:
        sys.exit(f"bench: not every answer was 2xx:\n{out}")
    return float(re.search(r"Requests/sec:\s*([\d.]+)", out)[1])


def webhook_rate():
    folder = SCRATCH / "webhook"
    with Process(program("webhook"), str(folder)) as ours:
        rate = shoot(ours.line())
    shutil.rmtree(folder)
    return rate


def nginx_rate():
    folder = SCRATCH / "nginx"
    folder.mkdir(exist_ok=True)
    port = free_port()
    (folder / "conf").write_text(NGINX.format(folder=folder, port=port))
    with Process("/usr/sbin/nginx", "-c", str(folder / "conf"), "-e", str(folder / "error.log")) as nginx:
        time.sleep(0.5)
        rate = shoot(port)
        nginx.child.terminate()
    return rate


def webhook(table):
    pairs = [(webhook_rate(), nginx_rate()) for _ in range(PAIRS)]
    table.ratio("webhook POST → durable → 200 vs nginx return 200", pairs, "/s", 0.35)


def webhook_rabbit(table):
    port = three_free_ports()
    pairs = []
    with Process(str(PEERS / "rabbitmq"), str(SCRATCH / "rabbitmq"), str(port)) as rabbit:
        rabbit.line()
        for _ in range(PAIRS):
            ours = webhook_rate()
            with Process("node", "express_rabbit.js", AMQP_URL=f"amqp://guest:guest@127.0.0.1:{port}") as express:
                pairs.append((ours, shoot(express.line())))
    table.ratio("the same vs Express + RabbitMQ confirms", pairs, "/s", 6)


def steady(table):
    values = []
    for _ in range(PAIRS):
        folder = SCRATCH / "steady"
        with Process(program("webhook"), str(folder)) as ours:
            values.append(answer(program("steady_load"), ours.line(), "5000", "100", SECONDS)["p99_ms"])
        shutil.rmtree(folder)
    table.below("webhook answer's p99 at 5,000/s on 100 connections, handlers take 60 s", values, "ms", 20)


def push(table):
    """No bar: pushes of pending updates to a receiver that answers at once, 40 open requests."""
    rates = []
    for _ in range(PAIRS):
        folder = SCRATCH / "push"
        subprocess.run([program("backlog"), "make", str(folder), "200000", "1000"], check=True)
        with Canned() as receiver:
            rates.append(answer(program("push"), str(folder), f"{receiver.root}/hook", "0.5", "2")["per_s"])
        shutil.rmtree(folder)
    table.figure("push to a cheap receiver", rates, "/s")


ROWS = {"poll": poll, "poll_history": poll_history, "memory_poll": memory_poll, "direct_poll": direct_poll,
        "direct_poll_pool": direct_poll_pool, "run": run, "webhook": webhook, "webhook_rabbit": webhook_rabbit,
        "steady": steady, "push": push, "lanes": lanes, "idle": idle, "backlog": backlog}


def main():
    wanted = sys.argv[1:] or list(ROWS)
    unknown = [name for name in wanted if name not in ROWS]
    if unknown:
        sys.exit(f"bench: no row {', '.join(unknown)}; there are {', '.join(ROWS)}")
    table = Table()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; fdatasync of 64 KB here: {sync_ms():.2f} ms "
          f"(median); {PAIRS} pairs of {SECONDS} s", flush=True)
    try:
        for name in wanted:
            print(f"== {name}", flush=True)
            ROWS[name](table)
    finally:
        shutil.rmtree(SCRATCH, ignore_errors=True)
    print()
    table.show()


main()
