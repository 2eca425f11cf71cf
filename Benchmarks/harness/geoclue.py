"""GeoClue as a peer: it has no fences; it reads a receiver's output, and announces positions.

It reads its configuration from one place only, so it gets its own mount namespace with our file
there: a receiver on a socket, and all else disabled. Its client and the agent that allows that are
in Floors/signals.c. """

import os
import pathlib
import shutil
import subprocess

from . import process
from .bench import Skipped

PROGRAM = pathlib.Path("/usr/libexec/geoclue")
PLACE = pathlib.Path("/etc/geoclue/geoclue.conf")
CONFIGURATION = """[agent]
whitelist=geoclue-demo-agent
[network-nmea]
enable=true
nmea-socket=%s
[3g]
enable=false
[cdma]
enable=false
[modem-gps]
enable=false
[wifi]
enable=false
[compass]
enable=false
[gnome-datetime-panel]
allowed=true
system=true
users=
"""


class GeoClue:
    """With a client attached, fed from a drive."""

    def __init__(self, bench, interval, limit=0):
        if not PROGRAM.exists() or not PLACE.exists():
            raise Skipped("GeoClue is not here")
        if os.getuid() != 0 or not shutil.which("unshare"):
            raise Skipped("GeoClue needs root to be given a receiver")
        directory = process.Directory(bench.work, "geoclue-")
        self.bus = process.Bus(directory)
        self.feeder = process.Feeder(
            "nmea", bench.data / "drive.nmea", interval, limit, socket=directory / "nmea")
        configuration = directory / "geoclue.conf"
        configuration.write_text(CONFIGURATION % (directory / "nmea"))
        self.program = process.start(
            ["unshare", "--mount", "sh", "-c",
             f'mount --bind "$0" {PLACE} && exec {PROGRAM}', configuration],
            env=os.environ | {"DBUS_SYSTEM_BUS_ADDRESS": self.bus.address})
        process.until(lambda: self.bus.has("org.freedesktop.GeoClue2"), 60, "GeoClue")
        self.listener = process.start(
            [bench.instruments / "signals", self.bus.address, "geoclue"],
            stdout=subprocess.PIPE, text=True)
        self.feeder.wait_for_client()
        self.listener.stdout.readline()

    @property
    def pid(self):
        return self.program.pid

    def stop(self):
        for program in [self.listener, self.program]:
            process.stop(program)
        self.feeder.stop()
        self.bus.stop()


def latencies(bench):
    """Seconds from a burst to the first signal after it; a burst has one or two."""
    clue = GeoClue(bench, 0.05, 100 if bench.quick else 400)
    clue.feeder.go()
    sent = []
    while (line := clue.feeder.line(60)) != "done":
        sent.append(float(line.split()[2]))
    process.busy_until(clue.pid, idle=1)
    clue.stop()
    arrivals = [float(line) for line in clue.listener.stdout]
    delays = []
    for begin, end in zip(sent, sent[1:]):
        signals = [arrival for arrival in arrivals if begin < arrival < end]
        if signals:
            delays.append(signals[0] - begin)
    if not delays:
        raise RuntimeError("GeoClue has told nothing")
    return delays
