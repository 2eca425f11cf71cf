#!/usr/bin/env python3
"""usage: emulated.py IMAGE-DIRECTORY GEOFENCECTL

A recorded drive of an emulated arm64 machine with the installed package, through the gpsd of its
Debian: its events are those that GEOFENCECTL, on this machine, finds in what that gpsd has said."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "PowerCut"))

import drive as receivers  # noqa: E402
from checks import Checks  # noqa: E402
from clock import RECORDER  # noqa: E402
from container import poll  # noqa: E402
from disk import VolatileDisk  # noqa: E402
from machine import Machine  # noqa: E402
from receiver import Drive  # noqa: E402
from service import FAST_MOTION, NAME, PATH, crossings, essence, microseconds, numbered  # noqa: E402

# An epoch every 0.1 s, where it was one every other second, and so many until gpsd is waited for.
PACE, STRETCH = 0.1, 25
# The limit of a wait, s of an emulated machine.
PATIENCE = 600


class Truck:
    def __init__(self, image, tool, work, drive):
        self.tool, self.work, self.drive = tool, work, drive
        # What the witnesses have passed on, by port.
        self.told = {"bus": [], "journal": []}
        self.changed = threading.Lock()
        path, address = os.path.join(work, "disk.img"), os.path.join(work, "disk")
        subprocess.run(["cp", "--sparse=always", f"{image}/disk.img", path], check=True)
        # Where the oracle expects them, too.
        fences, settings = os.path.join(work, "road.geojson"), os.path.join(work, "settings")
        shutil.copy(drive.fences, fences)
        pathlib.Path(settings).write_text(FAST_MOTION)
        receivers.put(path, fences, "/etc/geofenced/fences.d/drive.geojson")
        receivers.put(path, settings, "/etc/geofenced/geofenced.conf.d/10-fast-motion.conf")
        self.disk = VolatileDisk(path, address)
        self.machine = Machine(image, work, address, "tcg", on_line=self.hear, hardware="arm64")
        self.run = self.machine.run

    def hear(self, port, line):
        with self.changed:
            self.told[port].append(json.loads(line))

    def out(self, command):
        return self.run(command).strip()

    def booted(self, checks):
        """A Debian for arm64 with the package, booted"""
        began = time.monotonic()
        self.machine.wait("systemctl is-active --quiet geofenced gpsd")
        checks.note(f"up after {time.monotonic() - began:.0f} s")
        checks.note(self.out(". /etc/os-release; echo $PRETTY_NAME; uname -r"))
        machine = self.out("uname -m")
        checks.check(machine == "aarch64", f"it is {machine}")
        package = self.out("dpkg-query -W -f '${Status}, ${Version} for ${Architecture}' geofenced")
        checks.check(re.fullmatch("install ok installed, .* for arm64", package), package)
        broken = self.out("dpkg --audit")
        checks.check(not broken, "no package is left half configured", broken)
        unit = dict(line.split("=", 1) for line in self.out(
            "systemctl show geofenced -p UnitFileState -p NRestarts -p MainPID -p User").split())
        checks.check((unit["UnitFileState"], unit["NRestarts"]) == ("enabled", "0"),
                     "it is started at boot, and was not restarted", unit,
                     self.out("journalctl -q --no-pager -o short-monotonic -n 40 -u geofenced"))
        status = self.out(f"cat /proc/{unit['MainPID']}/status")
        checks.check(re.search(r"^NoNewPrivs:\t1$.*^Seccomp:\t2$", status, re.M | re.S),
                     "no new privileges, and a filter of system calls", status)
        user = self.out(f"stat -c %U /proc/{unit['MainPID']}")
        checks.check(user == unit["User"] == "geofenced", f"it runs as {user}", unit)
        owner = self.out("stat -c '%U:%G %a' /var/lib/geofenced")
        checks.check(owner == "geofenced:geofenced 700", "its state directory is its own", owner)
        answer = self.run("geofencectl status 2>&1", check=False)
        checks.check("gpsd" in answer, "geofencectl status answers", answer)

    def driven(self, checks):
        """A drive through its gpsd"""
        self.run(f"systemd-run -q --collect --unit=recorder bash -c '{RECORDER}'")
        self.machine.wait("""grep -q '"WATCH","enable":true' /run/gpsd.json""")
        version = re.search('"release":"([^"]*)"', self.out("head -1 /run/gpsd.json")).group(1)
        checks.note(f"with gpsd {version}")
        first, *rest = self.drive.epochs
        poll("gpsd hears nothing", lambda: self.send(first) or self.times(), PATIENCE, 0.5)
        for number in range(0, len(rest), STRETCH):
            for epoch in rest[number:number + STRETCH]:
                self.send(epoch)
                time.sleep(PACE)
            # gpsd holds the last of them back.
            poll("gpsd is behind",
                 lambda: len(self.times()) >= min(number + STRETCH, len(rest)) - 1, PATIENCE)
        last = microseconds(max(self.times()))
        poll("the service is behind gpsd", lambda: self.last_fix() >= last, PATIENCE)
        said = self.run("cat /run/gpsd.json", 120)
        log = self.events()
        oracle = receivers.oracle(self.tool, self.work, [said], "gpsd.json")
        checks.same([essence(e) for e in log], [essence(e) for e in oracle],
                    f"the {len(oracle)} events of a replay on this machine, of what gpsd has said")
        checks.same(crossings(log), crossings(self.drive.golden),
                    "they are the drive's reviewed events")
        checks.check(numbered(log), "numbered from 1 without a gap")
        poll("the witnesses are behind", lambda: len(self.told["bus"]) >= len(log), 60)
        checks.same(self.told["bus"], log, "events --follow has told each, once and in order")
        announced = [e for e in log if e.get("announced", True)]
        checks.same([(e["GEOFENCE_SEQ"], e["GEOFENCE_EVENT"], e["GEOFENCE_ID"])
                     for e in self.told["journal"] if "GEOFENCE_SEQ" in e],
                    [(str(e["seq"]), e["kind"], e["fence"]) for e in announced],
                    "each is in the journal, once and in order")
        failed = self.out("systemctl --failed --no-legend --plain")
        checks.check(not failed, "no unit has failed", failed)
        self.measured(checks)

    def measured(self, checks):
        """Notes what it takes of the machine, after the drive."""
        process = "/proc/$(systemctl show --value -p MainPID geofenced)"
        fields = self.out(f"grep -hE '^(VmHWM|VmRSS|RssAnon|RssFile):' {process}/status")
        checks.note("memory: " + ", ".join(" ".join(line.split()) for line in fields.splitlines()))
        checks.note("of its cgroup: " + self.out(
            "systemctl show -p MemoryCurrent -p MemoryPeak -p CPUUsageNSec geofenced | paste -sd' '"))
        checks.note("state: " + self.out("du -sk /var/lib/geofenced") + " kB; programs: " +
                    self.out("stat -c %s /usr/sbin/geofenced /usr/bin/geofencectl | paste -sd' '"))

    def send(self, epoch):
        self.machine.tell_receiver_line(epoch)

    def times(self):
        """Of the fixes that gpsd has reported."""
        lines = self.run("grep '\"class\":\"TPV\".*\"lat\":' /run/gpsd.json", check=False)
        return {json.loads(line).get("time", "") for line in lines.splitlines()}

    def last_fix(self):
        """That the service has judged."""
        return json.loads(self.run(f"busctl --json=short get-property {NAME} {PATH} {NAME}.Manager "
                                   "LastFixTimestamp"))["data"]

    def events(self):
        lines = self.run("geofencectl --json events", 120).splitlines()
        return [e for e in map(json.loads, lines) if "kind" in e]


def main():
    image, tool = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="geofenced-emulated.") as work:
        began = time.monotonic()
        # Twelve minutes at motorway speed without an outage, 18 events.
        truck = Truck(image, tool, work, Drive("antimeridian-drive"))
        checks = Checks(lambda: truck.run("journalctl -q --no-pager -n 60", check=False))
        try:
            checks.scenario(truck.booted, checks)
            checks.scenario(truck.driven, checks)
        finally:
            truck.machine.cut()
            truck.disk.close()
        checks.note(f"all in {time.monotonic() - began:.0f} s")
    sys.exit(checks.finish())


if __name__ == "__main__":
    main()
