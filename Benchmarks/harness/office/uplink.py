"""One box and its uplink: the delay from a crossing to its row, the cost of an idle uplink, and
the time to catch up after a month without a network."""

import contextlib
import datetime
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import threading
import time

from .. import process
from ..figure import Figure, percentile
from ..report import Row, plain
from . import rig
from .rig import fleet

import rounds  # noqa: E402 – of Tests/Drives, which rig has put on the path

# As in harness/daemon.py, the drive is faster than real time. The log is never shortened.
DAEMON = "[Fix]\nRebaseSec=1d\n[Events]\nMaxEvents=10000000\nMaxSize=4G\n"
UNIT = rig.ROOT / "systemd/usr/lib/systemd/system/geofenced-uplink@.service"
DAYS, EVENTS_A_DAY = 30, 1000


class Receiver:
    """A pipe to the daemon."""

    def __init__(self, path):
        os.mkfifo(path)
        # Open for both directions, so that the pipe always has a reader and a writer.
        self._pipe = os.open(path, os.O_RDWR)
        self._begin = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        self._next = 0
        # When each fix was written, s since 1970, by its time in the format of events.
        self.written = {}

    def feed(self, fixes, interval=0):
        for _ in range(fixes):
            begin = time.time()
            fix = self._begin + datetime.timedelta(seconds=self._next)
            self.written[fix.strftime("%Y-%m-%dT%H:%M:%S")] = begin
            os.write(self._pipe, rounds.epoch(self._next, self._begin))
            self._next += 1
            if interval:
                time.sleep(max(0, begin + interval - time.time()))


def box(ours):
    receiver = Receiver(ours.work / "receiver")
    made = fleet.Box(ours, "truck", f"nmea:{ours.work / 'receiver'}", DAEMON)
    (made.home / "fences.d" / "rounds.geojson").write_text(rounds.fences())
    return made, receiver


def stored(ours):
    return int(ours.value("SELECT count(*) FROM fleet.event"))


def settled(ours, seconds=120):
    """Waits until no more events come; returns how many there are."""
    last, since, end = -1, 0, time.monotonic() + seconds
    while time.monotonic() < end:
        count = stored(ours)
        if count != last:
            last, since = count, time.monotonic()
        elif count and time.monotonic() - since > 3:
            return count
        time.sleep(0.2)
    raise RuntimeError(f"events do not stop coming: {last}")


def latency(bench):
    """The time from writing the fix that proves the crossing to the commit in the database."""
    bench.need("mosquitto", "psql")
    with rig.office("track_commit_timestamp=on") as ours:
        ours.ingest()
        truck, receiver = box(ours)
        truck.start()
        receiver.feed(60 if bench.quick else 600, 0.2)
        settled(ours)
        lines = ours.ask("""SELECT details->>'fix_time',
                extract(epoch FROM pg_xact_commit_timestamp(xmin)) FROM fleet.event ORDER BY seq""",
                         "-A", "-t", "-F", " ").splitlines()
        # The first fixes wait in the pipe for the daemon's start.
        delays = [float(committed) - receiver.written[fix[:19]]
                  for fix, committed in map(str.split, lines) if fix[:19] in receiver.written]
        delays = delays[len(delays) // 10:]
        parts = [percentile(delays[at::5], 0.99) for at in range(5)]
        bench.figures["latency"] = percentile(delays, 0.99)
        yield Row("crossing → row, p99", "–",
                  Figure(percentile(delays, 0.99), min(parts), max(parts), len(parts)), 1,
                  unit="s", shown=f"{len(delays):,} events, median "
                  f"{plain(percentile(delays, 0.5))} s, worst {plain(max(delays))} s; the ingest "
                  "waits 0.2 s for others")


def idle(bench):
    """Memory and wake-ups with a TLS connection over which nothing happens."""
    bench.need("mosquitto", "openssl", "psql")
    watchdog = int(re.search(r"^WatchdogSec=(\d+)min", UNIT.read_text(), re.MULTILINE)[1]) * 60
    seconds = 60 if bench.quick else 600
    with rig.office(tls=True) as ours, contextlib.closing(Notified(ours.work)) as notified:
        ours.ingest(credentials=ours.credentials)
        truck, receiver = box(ours)
        truck.start(credentials=ours.credentials, NOTIFY_SOCKET=notified.path,
                    WATCHDOG_USEC=str(watchdog * 1_000_000))
        receiver.feed(rounds.CROSSINGS_A_ROUND)
        settled(ours)
        fleet.wait_for("idle uplink", lambda: "idle" in notified.status, truck.uplink.log)
        pid = truck.uplink.pid
        # The last event is position-lost, when the receiver is silent; the retained status follows
        # 5 s later.
        fleet.wait_for("position-lost", lambda: int(ours.value(
            "SELECT count(*) FROM fleet.event WHERE kind = 'position-lost'")), seconds=120)
        time.sleep(15)
        before, used = process.sleeps(pid), process.cpu(pid)
        time.sleep(seconds)
        woken = (process.sleeps(pid) - before) / seconds * 60
        used = process.cpu(pid) - used
        yield Row("an idle uplink over TLS, wake-ups", "–", woken, 2, unit="a minute",
                  shown=f"in {seconds} s, {plain(used * 1000)} ms of CPU; a keep-alive each 4 min, "
                  f"the watchdog of {watchdog} s")
        bench.figures["uplink_pss"] = process.pss(pid)
        yield Row("an idle uplink over TLS, memory (PSS)", "–", process.pss(pid) / 1e6, 8,
                  unit="MB", shown=f"{plain(alone(pid) / 1e6)} MB where nobody shares its "
                  f"libraries; {plain(process.anonymous(pid) / 1e6)} MB without a file")
        yield mapped(pid)


class Notified:
    """Receives notifications in the role of the service manager."""

    def __init__(self, work):
        self.path = str(work / "notify")
        self.status = ""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.path)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        with contextlib.suppress(OSError):
            while True:
                for line in self._socket.recv(65536).decode().splitlines():
                    if line.startswith("STATUS="):
                        self.status = line.removeprefix("STATUS=")

    def close(self):
        self._socket.close()


def mappings(pid):
    """Yields for each mapping its file and its resident bytes."""
    name = ""
    for line in pathlib.Path(f"/proc/{pid}/smaps").read_text().splitlines():
        if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
            name = line.split(maxsplit=5)[5] if len(line.split(maxsplit=5)) > 5 else "anonymous"
        elif line.startswith("Rss:"):
            yield name, int(line.split()[1]) * 1024


def alone(pid):
    """The memory that it would take if nothing were shared."""
    return sum(size for _, size in mappings(pid))


def mapped(pid):
    """A table of resident memory by file."""
    sizes = {}
    for name, size in mappings(pid):
        name = pathlib.Path(name).name if name.startswith("/") else name
        sizes[name] = sizes.get(name, 0) + size
    largest = sorted(sizes.items(), key=lambda each: -each[1])[:12]
    rest = sum(sizes.values()) - sum(size for _, size in largest)
    lines = [f"| {name} | {plain(size / 1000)} |" for name, size in
             [*largest, ("all others", rest)]]
    return "\n".join(["What an idle uplink has in memory:", "", "| of | kB resident |", "|---|---|",
                      *lines])


def offline(bench):
    """A month of events without a broker, then a network."""
    bench.need("mosquitto", "psql")
    days = 3 if bench.quick else DAYS
    with rig.office() as ours:
        truck, receiver = box(ours)
        ours.mosquitto.stop()
        truck.start()
        wanted = days * EVENTS_A_DAY
        while last_number(ours, truck) < wanted:
            receiver.feed(300)
        # Waits for the bytes that are still in the pipe.
        process.busy_until(truck.daemon.pid, idle=1)
        total = len(announced(ours, truck))
        # It must not reconnect by itself meanwhile.
        os.kill(truck.uplink.pid, signal.SIGSTOP)
        ours.mosquitto.start()
        fleet.wait_for("broker", lambda: fleet.listens(ours.port))
        ingest = ours.ingest()
        rig.backend(ours)
        pids = {"uplink": truck.uplink.pid, "daemon": truck.daemon.pid, "ingest": ingest.pid}
        before = {name: process.cpu(pid) for name, pid in pids.items()}
        how, begin = network(truck)
        fleet.wait_for("first event", lambda: stored(ours), truck.uplink.log, 900)
        # The commit of the first batch, found by polling every 50 ms.
        first = time.monotonic() - begin
        fleet.wait_for("last event", lambda: stored(ours) >= total, truck.uplink.log, 1800)
        last = time.monotonic() - begin
        used = ", ".join(f"{name} {plain((process.cpu(pid) - before[name]) / total * 1e6)} µs"
                         for name, pid in pids.items())
        late = ours.value("""SELECT count(*) FROM (SELECT received < lag(received)
            OVER (ORDER BY seq) AS is_late FROM fleet.event) AS each WHERE is_late""")
        holes = ours.value("SELECT string_agg(missing::text, ' ') FROM fleet.box_log")
        if late != "0" or holes != "{}":
            raise RuntimeError(f"{late} events came after later ones, missing {holes}")
        yield Row(f"{days} days × {EVENTS_A_DAY:,} events: first row after the network", "–", first,
                  2, unit="s", shown=how)
        yield Row(f"{days} days × {EVENTS_A_DAY:,} events: all, in order", "–", last, 60, unit="s",
                  shown=f"{total:,} events; CPU of an event: {used}")
        bench.figures["drain"] = total / last


def events(ours, truck, *options):
    """The events of the box's log, as the tool prints them; empty while the daemon starts."""
    done = subprocess.run([ours.programs / "geofencectl", "--bus", truck.bus, "events", "--json",
                           *options], capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def last_number(ours, truck):
    found = events(ours, truck, "--last", "1")
    return found[0]["seq"] if found else 0


def announced(ours, truck):
    """The announced events; the others stay in the vehicle."""
    return [event for event in events(ours, truck) if event.get("announced", True)]


def network(truck):
    """Resumes the stopped uplink and lets netlink report a new address; if that is not allowed, the
    uplink is restarted, as after a boot. Returns what was done, and when."""
    address = ["127.86.7.5/32", "dev", "lo"]
    if os.geteuid() == 0 and shutil.which("ip"):
        subprocess.run(["ip", "address", "del", *address], capture_output=True)
        begin = time.monotonic()
        if subprocess.run(["ip", "address", "add", *address], capture_output=True).returncode == 0:
            os.kill(truck.uplink.pid, signal.SIGCONT)
            subprocess.run(["ip", "address", "del", *address], capture_output=True)
            return "an address came up", begin
    truck.uplink.kill()
    begin = time.monotonic()
    truck.uplink.start()
    return "started again: this place lets no address come up", begin
