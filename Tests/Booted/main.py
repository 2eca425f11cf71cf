#!/usr/bin/env python3
"""usage: main.py ROOT PACKAGE [SCENARIO…]
What the package does on a machine with systemd: ROOT is a fresh Debian 12 made by make-root."""

import signal
import sys
import tempfile
import time

import faults
import life
import locked
from checks import Checks
from container import Container
from receiver import Drive
from service import Service

# As a signal ends it, so that the container is ended too.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
root, package, *only = sys.argv[1:]
checks = Checks()
container = Container(root)
service = Service(container)
# Twelve minutes at motorway speed without an outage, 18 events; see Tests/ReplayTests/Traces.
drive = Drive("antimeridian-drive")
began = time.monotonic()


def scenario(run, *arguments):
    if only and run.__name__ not in only and run is not life.freshly_installed:
        return
    start = time.monotonic()
    checks.scenario(run, checks, service, *arguments)
    checks.note(f"{time.monotonic() - start:.1f} s")


with tempfile.TemporaryDirectory(prefix="geofenced-booted.") as work:
    try:
        checks.note(f"booted in {container.boot():.1f} s")
        scenario(life.freshly_installed, package)
        scenario(life.exposed_little)
        scenario(life.authorised)
        scenario(life.told_everywhere, drive)
        for fault in (faults.killed, faults.hung, faults.out_of_memory, faults.without_journal,
                      faults.without_bus, faults.disk_full):
            scenario(fault, drive)
        scenario(locked.unix_only, drive)
        scenario(locked.own_line, drive)
        scenario(life.upgraded, drive, package, work)
        scenario(life.booted_again, drive)
        scenario(life.schema_1)
        scenario(life.removed, package)
    finally:
        container.end()
checks.note(f"all in {time.monotonic() - began:.0f} s")
sys.exit(checks.finish())
