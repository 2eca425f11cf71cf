"""gpsd's JSON, flat out: the whole daemon, its receiving part, and a real gpsd in front."""

import shutil
import socket
import sqlite3
import subprocess
import sys
import time

from .. import process
from ..bench import ROOT
from ..daemon import Daemon
from ..figure import median, ratio
from ..report import Row, plain, skipped

FIXES = 10_000


def contest(start, drive, limit=0):
    """Feeds a drive flat out to the program that `start(port)` starts; elapsed and processor
    seconds from the first byte until it is idle."""
    feeder = process.Feeder("gpsd", drive, limit=limit)
    contestant = start(feeder.port)
    feeder.wait_for_client()
    process.busy_until(contestant.pid, idle=0.3)
    cpu, begin = process.cpu(contestant.pid), time.monotonic()
    feeder.go()
    end = process.busy_until(contestant.pid, idle=0.5)
    result = end - begin, process.cpu(contestant.pid) - cpu
    return feeder, contestant, result


def daemon(bench):
    """10,000 fixes as fast as possible. refd neither follows the law nor stores anything; the
    script is what an integrator would write today."""
    store = bench.store()
    bus = process.Bus(process.Directory(bench.work))
    sides = {"ours": [], "refd": [], "python": []}
    counted = {}
    for repetition in bench.repetitions(5, 2):
        bench.store()
        feeder, ours, result = contest(
            lambda port: Daemon(bench, store, port, bus), bench.drive)
        sides["ours"].append(result)
        counted = ours.counters()
        ours.stop()
        told = log_of(store)
        feeder.stop()
        feeder, refd, result = contest(lambda port: process.start(
            [bench.bin / "refd", bench.data / "j.db", port, bus.address], env=bench.environment),
            bench.drive)
        sides["refd"].append(result)
        process.stop(refd)
        feeder.stop()
        if repetition < 2 and integrator(bench):
            feeder, script, result = contest(
                lambda port: process.start(integrator(bench) + [port, FIXES]), bench.drive)
            sides["python"].append(result)
            process.stop(script)
            feeder.stop()
    bus.stop()
    path = bench.work / "events-of-every-fence"
    bench.ours("compare", store, bench.drive, "events", path)
    expected = [line.split("\t") for line in path.read_text().splitlines()]
    yield Row("events of the daemon on the flat-out feed", "every fence on every fix",
              int(told == expected), 1, 1, least=True, unit="",
              shown=f"{len(told)} and {len(expected)} events: kind, fence, time, fix, order")
    yield Row("fixes accepted of the flat-out feed", "those sent",
              counted.get("accepted", 0) / FIXES, 1, 1, least=True,
              shown=", ".join(f"{name} {count}" for name, count in counted.items() if count))
    yield from against(sides, "refd", 0.6, 0.8)
    if sides["python"]:
        yield from against(sides, "python", 4, None)
    else:
        yield skipped("whole daemon, gpsd JSON flat out", "the Python script",
                      "python3-gps is not here")


def log_of(store):
    """The events that were stored: kind, fence, time, time of the fix."""
    database = sqlite3.connect(store / "events.sqlite")
    rows = database.execute(
        "select kind, coalesce(fence, ''), time, fix_time from event order by seq").fetchall()
    database.close()
    return [[str(value) for value in row] for row in rows]


def against(sides, other, must, aim):
    for name, place in [("CPU", 1), ("elapsed", 0)]:
        ours = [FIXES / result[place] for result in sides["ours"]]
        theirs = [FIXES / result[place] for result in sides[other]]
        yield Row(f"whole daemon, gpsd JSON flat out, {name}",
                  "the Python script" if other == "python" else other, ratio(ours, theirs), must,
                  aim, least=True,
                  shown=f"{plain(median(ours))} against {plain(median(theirs))} fixes/s")


def integrator(bench):
    """The script, if it can run."""
    if subprocess.run([sys.executable, "-c", "import gps"], capture_output=True).returncode:
        return None
    return [sys.executable, ROOT / "Benchmarks/Floors/integrator.py", bench.data / "j.db"]


def parse(bench):
    """Receiving and parsing alone, from a feeder that is always ahead."""
    sides = {"ours": [], "lib": [], "scan": []}
    for _ in bench.repetitions(7, 3):
        for side in sides:
            def start(port, side=side):
                command = ([bench.parts, "receive", port, "count", FIXES] if side == "ours" else
                           [bench.bin / "gpscli", port, side, FIXES, 3])
                return process.start(command, stdout=subprocess.PIPE, text=True)
            feeder = process.Feeder("gpsd", bench.drive)
            contestant = start(feeder.port)
            feeder.wait_for_client()
            feeder.go()
            output, _ = contestant.communicate(timeout=60)
            sides[side].append(process.values(output)["client_us_cpu_per_tpv"])
            feeder.stop()
    ours = sides["ours"]
    for side, name, must, aim in [("lib", "libgps", 1.1, None), ("scan", "C scan", None, 1.5)]:
        theirs = sides[side]
        yield Row("CPU per TPV, receive and parse", name, ratio(ours, theirs), must, aim,
                  shown=f"{plain(median(ours))} against {plain(median(theirs))} µs")


def real_gpsd(bench):
    """Through a real gpsd, which is fed as fast as it reads. A fix may come as several TPVs; each
    of its seconds must arrive."""
    bench.need("gpsd")
    state = bench.store()
    bus = process.Bus(process.Directory(bench.work))
    raw, ours, seconds, counters = [], [], 0, {}
    for _ in bench.repetitions(3, 1):
        elapsed, tpvs = through_gpsd(bench, lambda port: process.start(
            [bench.bin / "gpscli", port, "raw", 10 * FIXES, 3], stdout=subprocess.PIPE, text=True))
        raw.append(elapsed)
        bench.store()
        daemon = []

        def start(port):
            daemon.append(Daemon(bench, state, port, bus))
            return daemon[0].program
        elapsed, _ = through_gpsd(bench, start)
        counters = daemon[0].counters()
        daemon[0].stop()
        ours.append(elapsed)
    bus.stop()
    repeated = counters.get("duplicate", 0)
    yield Row("10,000 fixes through the real gpsd flat out", "those sent",
              counters["accepted"], FIXES, FIXES, least=True, unit="fixes",
              shown=f"{plain(tpvs)} TPVs; " + ", ".join(
                  f"{name} {count}" for name, count in counters.items() if count))
    yield Row("the same, elapsed", "gpscli raw", ratio(ours, raw), None, 1.0,
              shown=f"{plain(median(ours))} against {plain(median(raw))} s")


def through_gpsd(bench, start):
    """A gpsd that reads the drive from a TCP feeder; seconds from the first byte until the client
    is idle, and its output if any."""
    feeder = process.Feeder("nmea", bench.data / "drive.nmea")
    port, gpsd = gpsd_on(feeder)
    client = start(port)
    # gpsd answers ?WATCH before it is fed.
    process.busy_until(client.pid, idle=0.5)
    begin = time.monotonic()
    feeder.go()
    end = busy_both(client.pid, gpsd.pid)
    tpvs = 0
    if client.stdout:
        output, _ = client.communicate(timeout=60)
        tpvs = process.values(output)["tpv"]
    process.stop(gpsd)
    feeder.stop()
    return end - begin, tpvs


def gpsd_on(feeder):
    """A private gpsd; its port and the program."""
    port = free_port()
    gpsd = process.start([shutil.which("gpsd") or "/usr/sbin/gpsd", "-N", "-n", "-S", port,
                          f"tcp://127.0.0.1:{feeder.port}"])
    feeder.wait_for_client()
    process.until(lambda: listens(port), 10, "gpsd")
    return port, gpsd


def busy_both(client, server):
    """As busy_until, while the other one is busy too."""
    while True:
        end = process.busy_until(client, idle=1.0)
        before = process.cpu(server)
        time.sleep(0.2)
        if process.cpu(server) - before < 0.01:
            return end


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), 0.2).close()
        return True
    except OSError:
        return False
