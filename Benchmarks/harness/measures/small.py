"""The scarce resources of a small machine: start, instructions, flash."""

import re
import shutil
import subprocess

from .. import process
from ..daemon import Daemon
from ..figure import Figure
from ..report import Row, plain


def start(bench):
    """Until it reports that it is monitoring; the store is warm, and the bus is running."""
    store = bench.store()
    bus = process.Bus(process.Directory(bench.work))
    feeder = process.Feeder("gpsd", bench.drive)
    costs = []
    for _ in bench.repetitions(11, 3):
        daemon = Daemon(bench, store, feeder.port, bus)
        costs.append(daemon.start_cpu * 1000)
        daemon.stop()
    bus.stop()
    feeder.stop()
    yield Row("start to watching, warm, 1.1 M", "–", Figure.of(costs), 15, 6, unit="ms of CPU")


def instructions(bench):
    """By callgrind, the unmodified programs: the difference between a short and a long feed, so
    that start and end do not count."""
    bench.need("valgrind")
    for name, interval, few, many in [
            ("one fix a wake-up", 0.02, 500, 2500), ("flat out", 0, 1000, 5000)]:
        if bench.quick:
            few, many = 200, 1000
        # The long feed last: its profile is kept.
        short, long = (ours(bench, bench.store(), fixes, interval) for fixes in (few, many))
        mine = (long[0] - short[0]) / (many - few)
        alone = (long[1] - short[1]) / (many - few)
        short, long = (refd(bench, fixes, interval) for fixes in (few, many))
        floor = (long - short) / (many - few)
        row = Row(f"instructions per fix, end to end, {name}", "refd", mine / floor, 3, 2,
                  shown=f"{plain(mine)} against {plain(floor)}")
        # On a busy machine fixes queue up, and fixes processed together cost less.
        if interval and alone < 0.97:
            row.doubt = f"only {alone:.0%} of the fixes came alone"
        yield row
    mine = instructions_of_engine(bench, bench.store(), bench.drive, 10_000)
    floor = (counted(bench, bench.bin / "win20", bench.data / "j.db", 2, "box")
             - counted(bench, bench.bin / "win20", bench.data / "j.db", 1, "box")) / 10_000
    yield Row("instructions per fix, engine alone", "win20 box", mine / floor, None, 1.5,
              shown=f"{plain(mine)} against {plain(floor)}")


def instructions_of_engine(bench, store, drive, first):
    """For a second pass over the beginning of a drive."""
    once, twice = (counted(bench, bench.parts, "engine", store, drive, "first", first, "passes",
                           passes) for passes in (1, 2))
    keep_profile(bench, bench.work / "callgrind.counted", "engine")
    return (twice - once) / first


def counted(bench, *command):
    out = bench.work / "callgrind.counted"
    process.run([*valgrind(out), *command], env=bench.environment)
    return collected(out)


def valgrind(out):
    return ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}"]


def keep_profile(bench, out, name):
    """Writes the profile by function, for analysis, to .build/bench."""
    profile = process.run(["callgrind_annotate", out])
    if shutil.which("swift"):
        demangled = subprocess.run(["swift", "demangle", "--simplified"], input=profile,
                                   capture_output=True, text=True)
        profile = demangled.stdout or profile
    (bench.out / f"profile-{name}.txt").write_text(profile)


def collected(out):
    """Instructions, of all parts of a profile."""
    found = re.findall(r"^(?:summary|totals): (\d+)", out.read_text(), re.MULTILINE)
    if not found:
        raise RuntimeError("callgrind has counted nothing")
    return int(found[-1])


def calls(out, name):
    """How often the function whose name has this in it was called, by callgrind's profile."""
    names, called, count = {}, None, {}
    for line in out.open():
        if match := re.match(r"cfn=(\(\d+\))(?: (.*))?", line):
            if match[2]:
                names[match[1]] = match[2]
            called = match[1]
        elif match := re.match(r"fn=(\(\d+\)) (.*)", line):
            names[match[1]] = match[2]
        elif match := re.match(r"calls=(\d+)", line):
            count[called] = count.get(called, 0) + int(match[1])
    found = [count[key] for key in count if name in names.get(key, "")]
    if not found:
        raise RuntimeError(f"callgrind knows no {name}")
    return max(found)


def ours(bench, store, fixes, interval, before=()):
    """Instructions, and how often it was woken: beside the fixes nothing does. `before` is put
    before the program."""
    bus = process.Bus(process.Directory(bench.work))
    feeder = process.Feeder("gpsd", bench.drive, interval=interval, limit=fixes)
    out = bench.work / "callgrind.ours"
    daemon = Daemon(bench, store, feeder.port, bus, before=[*before, *valgrind(out)])
    feeder.wait_for_client()
    process.busy_until(daemon.pid, idle=1)
    feeder.go()
    feeder.wait_until_done()
    process.busy_until(daemon.pid, idle=2)
    process.stop(daemon.program, 60)
    for one in (feeder, bus):
        one.stop()
    keep_profile(bench, out, "daemon-flat-out" if interval == 0 else "daemon")
    return collected(out), calls(out, "epoll_")


def refd(bench, fixes, interval):
    bus = process.Bus(process.Directory(bench.work))
    feeder = process.Feeder("gpsd", bench.drive, interval=interval, limit=fixes, hold=False)
    out = bench.work / "callgrind.refd"
    floor = process.start(
        valgrind(out) + [bench.bin / "refd", bench.data / "j.db", feeder.port, bus.address],
        env=bench.environment)
    feeder.wait_for_client()
    feeder.go()
    floor.wait(300)
    for one in (feeder, bus):
        one.stop()
    return collected(out)


def binary(bench):
    stripped = bench.work / "stripped"
    shutil.copy(bench.daemon, stripped)
    process.run(["strip", stripped])
    yield Row("binary, stripped, static runtime", "–", stripped.stat().st_size / 1e6, 12, 8,
              unit="MB", shown=f"{plain(stripped.stat().st_size / 2**20)} MiB; geofencectl "
              f"{plain(bench.tool.stat().st_size / 1e6)} MB unstripped")
