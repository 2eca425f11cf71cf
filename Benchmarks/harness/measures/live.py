"""Everyday operation: one fix a second. All programs in the same minute."""

import datetime
import random
import sqlite3
import subprocess
import threading
import time

from .. import data, geoclue, process
from ..bench import Skipped
from ..daemon import Daemon
from ..data import tpv_line
from ..figure import Figure, percentile
from ..report import Row, plain, skipped
from .feed import gpsd_on


# The minute and a half is measured in this many parts, each of which counts as a run.
PARTS = 6


class Watched:
    """One program over the minute and a half."""

    def __init__(self, program):
        self.pid = program.pid
        self.program = program

        self.moments = []

    def look(self):
        self.moments.append((now(), process.cpu(self.pid), process.sleeps(self.pid)))

    def end(self):
        # ms of processor time for each second.
        self.load = self._rate(1) * 1000
        self.wakes = self._rate(2)
        self.pss = process.pss(self.pid)
        self.anonymous = process.anonymous(self.pid)

    def _rate(self, what):
        """Per second: over the whole run, and the range of its parts."""
        def between(begin, end):
            return (end[what] - begin[what]) / (end[0] - begin[0])
        parts = [between(*pair) for pair in zip(self.moments, self.moments[1:])]
        return Figure(
            between(self.moments[0], self.moments[-1]), min(parts), max(parts), len(parts))


def now():
    return time.monotonic()


def parked(bench):
    """A vehicle parked at the start of the drive, and a receiver that drifts by metres."""
    path = bench.work / "parked.tpv"
    source = random.Random(3)
    with open(bench.data / "drive.bin", "rb") as file:
        latitude, longitude = memoryview(file.read(16)).cast("d")
    begin = datetime.datetime(2026, 6, 1, 8)
    with open(path, "w", newline="") as file:
        for second in range(3600):
            file.write(tpv_line(
                begin + datetime.timedelta(seconds=second),
                latitude + source.gauss(0, 1e-5), longitude + source.gauss(0, 1e-5), 0, 0.05))
    return path


def one_hertz(bench):
    many = bench.store()
    bus = process.Bus(process.Directory(bench.work))
    quiet_bus = process.Bus(process.Directory(bench.work))
    driving = process.Feeder("gpsd", bench.drive, interval=1)
    standing = process.Feeder("gpsd", parked(bench), interval=1)
    twin = state_like(bench, many)
    daemons = {
        "driving": Daemon(bench, many, driving.port, bus),
        "parked": Daemon(bench, twin, standing.port, quiet_bus),
    }
    floors = {
        f"refd {name}": process.start(
            [bench.bin / "refd", bench.data / "j.db", feeder.port, one.address],
            env=bench.environment)
        for name, feeder, one in [("driving", driving, bus), ("parked", standing, quiet_bus)]
    }
    watched = {name: Watched(program) for name, program in {**daemons, **floors}.items()}
    for feeder, clients in [(driving, 2), (standing, 2)]:
        for _ in range(clients):
            feeder.wait_for_client()
            feeder.go()
    clue = missing = None
    try:
        clue = geoclue.GeoClue(bench, 1)
        clue.feeder.go()
        watched["GeoClue"] = Watched(clue.program)
    except Skipped as why:
        missing = why
    time.sleep(5 if bench.quick else 15)
    for part in range(PARTS + 1):
        if part:
            time.sleep((15 if bench.quick else 90) / PARTS)
        for each in watched.values():
            each.look()
    for each in watched.values():
        each.end()
    if clue:
        clue.stop()
    for each in floors.values():
        process.stop(each)
    daemons["parked"].stop()
    # Alone, because memory shared by two instances of a program counts half for each.
    watched["driving"].pss = process.pss(watched["driving"].pid)
    watched["driving"].anonymous = process.anonymous(watched["driving"].pid)
    daemons["driving"].stop()
    driving.stop()
    standing.stop()
    yield from live_rows(watched, missing, with_few(bench, bus))


def with_few(bench, bus):
    """PSS of a daemon with 20 fences, likewise alone, bytes: those that the drive crosses first, so
    that it has processed the same crossings."""
    events = bench.work / "events-of-every-fence"
    bench.ours("compare", bench.store(), bench.drive, "events", events)
    crossed = dict.fromkeys(
        int(line.split("\t")[1]) for line in events.read_text().splitlines())
    few = bench.work / "crossed.geojson"
    data.choose(bench.data, list(crossed)[:20], few)
    feeder = process.Feeder("gpsd", bench.drive, interval=1)
    daemon = Daemon(bench, bench.store_of(few, "crossed"), feeder.port, bus)
    feeder.wait_for_client()
    feeder.go()
    time.sleep(20 if bench.quick else 105)
    result = process.pss(daemon.pid)
    daemon.stop()
    feeder.stop()
    return result


def state_like(bench, store):
    """The same catalogue for a second daemon."""
    twin = process.Directory(bench.work, "twin-").path
    subprocess.run(["cp", "--reflink=auto", store / "catalogue.sqlite", twin], check=True)
    return twin


def live_rows(watched, missing, few):
    ours = watched["driving"]
    clue = watched.get("GeoClue")
    if clue:
        yield Row("resident set (PSS), 1.1 M fences, 1 Hz", "GeoClue", ours.pss / clue.pss, 1, 0.7,
                  shown=f"{plain(ours.pss / 1e6)} against {plain(clue.pss / 1e6)} MB; "
                  f"{plain(ours.anonymous / 1e6)} and {plain(clue.anonymous / 1e6)} of it in no file")
    else:
        yield skipped("resident set (PSS), 1.1 M fences, 1 Hz", "GeoClue", missing)
        yield Row("the same", "refd", ours.pss / watched["refd driving"].pss,
                  shown=f"{plain(ours.pss / 1e6)} MB against "
                  f"{plain(watched['refd driving'].pss / 1e6)} MB")
    yield Row("growth of PSS, 20 → 1.1 M fences", "itself", ours.pss / few, 1.15, 1.05,
              shown=f"{plain(few / 1e6)} → {plain(ours.pss / 1e6)} MB")
    for name in ["driving", "parked"]:
        mine, floor = watched[name], watched[f"refd {name}"]
        yield Row(f"idle CPU at 1 Hz, {name}", "refd", mine.load / floor.load, 2.5, 1.5,
                  shown=f"{plain(mine.load.value)} against {plain(floor.load.value)} ms/s")
        if clue:
            yield Row(f"idle CPU at 1 Hz, {name}", "GeoClue", mine.load / clue.load, 0.3, None,
                      shown=f"{plain(mine.load.value)} against {plain(clue.load.value)} ms/s")
        else:
            yield skipped(f"idle CPU at 1 Hz, {name}", "GeoClue", missing)
        yield Row(f"wake-ups per second at 1 Hz, {name}", "–", mine.wakes, 1.1, 1.0, unit="/s",
                  shown=f"refd {plain(floor.wakes.value)}"
                  + (f", GeoClue {plain(clue.wakes.value)}" if clue else ""))


# From the fix to the signal.

def latency(bench):
    """Bursts of a receiver through a real gpsd to a signal on the bus, timed from the moment the
    burst is sent to the moment a listener has the signal that names that fix."""
    bench.need("gpsd")
    feeder = process.Feeder("nmea", bench.data / "drive.nmea", interval=0.02,
                            limit=500 if bench.quick else 4000)
    state = bench.store()
    port, gpsd = gpsd_on(feeder)
    sides = {"refd": process.Bus(process.Directory(bench.work)),
             "geofenced": process.Bus(process.Directory(bench.work))}
    daemon = Daemon(bench, state, port, sides["geofenced"])
    floor = process.start([bench.bin / "refd", bench.data / "j.db", port, sides["refd"].address],
                          env=bench.environment)
    listeners = {
        name: process.start([bench.instruments / "signals", bus.address, name],
                            stdout=subprocess.PIPE, text=True) for name, bus in sides.items()}
    for listener in listeners.values():
        listener.stdout.readline()
    process.busy_until(daemon.pid, idle=1)
    with Commits(bench) as commits:
        sent = bursts(feeder)
        process.busy_until(daemon.pid, idle=1)
    for one in [daemon.program, floor, gpsd, *listeners.values()]:
        process.stop(one)
    feeder.stop()
    delays = {name: signals(listener, sent) for name, listener in listeners.items()}
    cost = Figure.of_parts(commits.costs)
    mine, theirs = Figure.of_parts(delays["geofenced"]), Figure.of_parts(delays["refd"])
    yield Row("fix → D-Bus signal p50, gpsd in front, less one durable commit", "refd",
              (mine - cost) / theirs, 1.3, 1.1,
              shown=f"{milli(mine)} ms of which {milli(cost)} a commit, against {milli(theirs)} ms; "
              f"p99 {milli(percentile(delays['geofenced'], 0.99))} against "
              f"{milli(percentile(delays['refd'], 0.99))} ms; "
              f"{len(delays['geofenced'])} and {len(delays['refd'])} signals")
    try:
        clue = Figure.of_parts(geoclue.latencies(bench))
        for how, ours in [("gpsd in front of ours alone", mine),
                          ("no gpsd", Figure.of_parts(directly(bench)))]:
            yield Row(f"fix → D-Bus signal p50, {how}", "GeoClue", ours / clue, 1, None,
                      shown=f"{milli(ours)}, commit included, against {milli(clue)} ms")
    except Skipped as why:
        yield skipped("fix → D-Bus signal p50", "GeoClue", why)


def directly(bench):
    """As for GeoClue: the receiver's sentences, without a gpsd."""
    directory = process.Directory(bench.work)
    fifo = directory / "receiver.fifo"
    feeder = process.Feeder("nmea", bench.data / "drive.nmea", interval=0.02,
                            limit=500 if bench.quick else 2000, socket=fifo)
    process.until(fifo.exists, 10, "the FIFO")
    bus = process.Bus(directory)
    daemon = Daemon(bench, bench.store(), None, bus, source=f"nmea:{fifo}")
    listener = process.start([bench.instruments / "signals", bus.address, "geofenced"],
                             stdout=subprocess.PIPE, text=True)
    listener.stdout.readline()
    feeder.wait_for_client()
    sent = bursts(feeder)
    process.busy_until(daemon.pid, idle=1)
    for one in [daemon.program, listener]:
        process.stop(one)
    feeder.stop()
    bus.stop()
    return signals(listener, sent)


def bursts(feeder):
    """When each fix was sent, by its time of day."""
    sent = {}
    feeder.go()
    while (line := feeder.line(120)) != "done":
        _, receiver, moment = line.split()
        sent[receiver[:6]] = float(moment)
    return sent


def signals(listener, sent):
    """Seconds from the burst to the signal."""
    delays = []
    for line in listener.stdout:
        arrival, stamp = line.split()
        clock = (stamp[11:19].replace(":", "") if "T" in stamp else
                 time.strftime("%H%M%S", time.gmtime(int(stamp) / 1e6)))
        if clock in sent:
            delays.append(float(arrival) - sent[clock])
    return delays


def milli(seconds):
    return plain((seconds.value if isinstance(seconds, Figure) else seconds) * 1000)


class Commits:
    """The cost of a row written durably in our state directory (WAL, synchronous=FULL), five times
    a second while something else is measured: both have to wait for the same disk."""

    def __init__(self, bench):
        self.costs = []
        self._path = process.Directory(bench.work) / "commit.db"
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    def _run(self):
        database = sqlite3.connect(self._path, isolation_level=None)
        database.execute("pragma journal_mode=wal")
        database.execute("pragma synchronous=full")
        database.execute("create table event(seq integer primary key, what text)")
        while not self._over.wait(0.2):
            begin = now()
            database.execute("insert into event(what) values (?)", ["x" * 200])
            self.costs.append(now() - begin)
        database.close()
