"""The daemon where something around it is slow: a journal that refuses, a small core."""

import contextlib
import pathlib
import socket
import subprocess
import threading
import time

from .. import process
from ..bench import Skipped, without_events
from ..daemon import Daemon
from ..report import Row, plain
from .small import ours


def refusing(bench):
    """Behind a journal that takes nothing, against one that takes all: as `instructions`."""
    bench.need("valgrind", "unshare")
    few, many = (200, 1000) if bench.quick else (500, 2500)
    each = {}
    for is_read in [True, False]:
        with journal(bench, is_read) as before:
            short, long = (ours(bench, without_events(bench.store()), fixes, 0.02, before)[0]
                           for fixes in (few, many))
        each[is_read] = (long - short) / (many - few)
    yield Row("instructions per fix, end to end, the journal refuses", "it accepts",
              each[False] / each[True], 1.1, shown=f"{plain(each[False])} against "
              f"{plain(each[True])}")


@contextlib.contextmanager
def journal(bench, is_read):
    """What to put before a program that shall have a journal of ours, in a name space of its own."""
    directory = process.Directory(bench.work)
    place = pathlib.Path(directory.path) / "journal"
    place.mkdir()
    before = ["unshare", "--mount", "--map-root-user", "sh", "-c",
              'mount --bind "$0" /run/systemd && exec "$@"', str(directory.path)]
    if subprocess.run([*before, "true"], capture_output=True).returncode:
        raise Skipped("no name space for a journal")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(str(place / "socket"))
        if is_read:
            threading.Thread(target=drain, args=(end.dup(),), daemon=True).start()
        yield before
    directory.remove()


def drain(end):
    while end.recv(65_536):
        pass


def slow_core(bench):
    """10 fixes a second with a twentieth of a core: they must not queue up."""
    group = pathlib.Path("/sys/fs/cgroup/cpu/geofenced-bench")
    try:
        group.mkdir(exist_ok=True)
        (group / "cpu.cfs_period_us").write_text("100000")
        (group / "cpu.cfs_quota_us").write_text("5000")
    except OSError as error:
        raise Skipped(f"no quota of the processor: {error.strerror}") from error
    fixes = 150 if bench.quick else 900
    bus = process.Bus(process.Directory(bench.work))
    feeder = process.Feeder("gpsd", bench.drive, interval=0.1, limit=fixes)
    daemon = Daemon(bench, without_events(bench.store()), feeder.port, bus)
    feeder.wait_for_client()
    process.busy_until(daemon.pid, idle=1)
    (group / "tasks").write_text(str(daemon.pid))
    before = throttled(group)
    cpu = process.cpu(daemon.pid)
    feeder.go()
    feeder.wait_until_done()
    time.sleep(0.1)
    accepted = daemon.counters()["accepted"]
    used = (process.cpu(daemon.pid) - cpu) / fixes
    held = [after - first for first, after in zip(before, throttled(group))]
    daemon.stop()
    for one in (feeder, bus):
        one.stop()
    # It may have begun to copy a set, which goes on.
    for task in (group / "tasks").read_text().split():
        (group.parent / "tasks").write_text(task)
    group.rmdir()
    yield Row("10 fixes a second on 5 % of a core, 0.1 s after the last", "those sent",
              accepted / fixes, 1, 1, least=True,
              shown=f"accepted {accepted}; {plain(used * 1e6)} µs a fix, {held[1]} of {held[0]} "
              "periods of 0.1 s used up")


def throttled(group):
    """Periods, and those in which the quota was used up."""
    found = dict(line.split() for line in (group / "cpu.stat").read_text().splitlines())
    return int(found["nr_periods"]), int(found["nr_throttled"])
