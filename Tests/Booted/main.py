#!/usr/bin/env python3
"""usage: main.py ROOT PACKAGE [SCENARIO…]
What the package does on a machine with systemd: ROOT is a fresh Debian made by make-root. With a
Debian that comes next in it (make-next) it is upgraded to that at the end. In the environment PREVIOUS
is the package of the last release, and LATER that of a next version (.ci/later-deb)."""

import os
import pathlib
import signal
import sys
import tempfile
import time

import bus_attacks
import doctor
import faults
import fence_attacks
import gpsd_attacks
import least
import life
import livemap
import locked
import packages
import rights
import slots
import switches
import sync
import uplink
import versions
import voice
from checks import Checks
from container import Container
from receiver import Drive
from service import Service

# Handled like a normal end, so that the container is ended too.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
root, package, *only = sys.argv[1:]
container = Container(root)
checks = Checks(lambda: container.out(
    "journalctl", "-q", "-o", "short-precise", "--no-pager", "-n", "60", timeout=20))
service = Service(container)
# Twelve minutes at motorway speed without an outage, 18 events; see Tests/ReplayTests/Traces.
drive = Drive("antimeridian-drive")
began = time.monotonic()

with tempfile.TemporaryDirectory(prefix="geofenced-booted.") as work:
    # In this order: the later ones expect an installed package, and leave one.
    scenarios = [
        (life.freshly_installed, package), (life.exposed_little,), (life.authorised,),
        (life.stays_stopped,), (life.told_everywhere, drive), (rights.withdrawn, drive), (faults.killed, drive),
        (faults.hung, work),
        (faults.catalogue_lost, drive), (faults.state_emptied, drive), (faults.crash_loop, drive),
        (faults.out_of_memory, drive), (faults.without_journal, drive),
        (doctor.examined, work),
        (sync.taken_over, package, work), (sync.left_the_map, drive, package, work),
        (livemap.looked_at, package),
        (uplink.sent_to_the_office, drive, package, work), (least.voice, package),
        (voice.says_who_watches, package, work),
        (faults.without_bus, drive), (faults.disk_full, drive), (locked.unix_only, drive),
        (locked.own_line, drive), (bus_attacks.at_the_bus, drive), (gpsd_attacks.at_gpsds_port, drive),
        (fence_attacks.by_fences, drive), (life.upgraded, drive, package, work),
        (life.booted_again, drive), (versions.taken_back, drive, package, work),
        (life.built_by_steps,), (life.removed, package), (packages.let_go, package, work),
    ]
    if os.environ.get(switches.LATER):
        scenarios += [(switches.switched, drive, package, work),
                      (slots.booted_in_turn, drive, package, work)]
    if pathlib.Path(root + versions.NEXT).exists():
        scenarios.append((versions.dist_upgraded, drive))
    names = [run.__name__ for run, *_ in scenarios]
    if unknown := set(only) - set(names):
        sys.exit(f"main.py: no such scenario: {' '.join(unknown)}; there are {' '.join(names)}")
    try:
        checks.note(f"booted in {container.boot():.1f} s")
        for run, *arguments in scenarios:
            if not only or run.__name__ in only or run is life.freshly_installed:
                start = time.monotonic()
                checks.scenario(run, checks, service, *arguments)
                checks.note(f"{time.monotonic() - start:.1f} s")
    finally:
        container.end()
checks.note(f"all in {time.monotonic() - began:.0f} s")
sys.exit(checks.finish())
