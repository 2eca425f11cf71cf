#!/usr/bin/env python3
"""usage: clock.py IMAGE-DIRECTORY GEOFENCECTL

Wall-clock steps of a real clock, which need a virtual machine: during one drive the clock is
stepped, with a receiver that sends to gpsd and, on another line, to a separate daemon (nmea:). The
events of both are those of the drive without steps, to the byte; see README.md. """

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timezone

import drive
import ledger
from machine import Machine, Silence, accelerator
from disk import VolatileDisk

# Linux does not allow a clock to be set to before its own boot.
EARLIEST = "date -u -s @$(($(cut -d. -f1 /proc/uptime) + 5))"
# What is done to the clock, and how: `date` sets it, `adjtimex` announces a leap second.
STEPS = [
    ("+1 h", "date -s '+1 hour'"),
    ("-1 h", "date -s '-1 hour'"),
    ("+1 year", "date -s '+1 year'"),
    ("-10 years", "date -s '-10 years'"),
    ("1970", EARLIEST),
    ("over the week rollover of 2019", "date -u -s '2019-04-06 23:59:40'"),
    ("over 2^31 s", "date -u -s '2038-01-19 03:14:03'"),
    ("over the week rollover of 2038", "date -u -s '2038-11-20 23:59:40'"),
    # STA_INS: the kernel inserts a second at the end of the UTC day.
    ("a leap second", "date -u -s '2026-12-31 23:59:45' && adjtimex --status 16"),
    ("back to today", "adjtimex --status 0; date -u -s '@{now}'"),
]
PAUSE = 6  # s between two steps
BUS = "unix:path=/run/nmea/bus"
DIRECT = f"""set -e
mkdir -p /run/nmea/fences.d
cp /etc/geofenced/fences.d/road.geojson /run/nmea/fences.d/
touch /run/nmea/geofenced.conf
systemd-run -q --unit=direct-bus dbus-daemon --session --nofork --nopidfile --address={BUS}
until [ -S /run/nmea/bus ]; do sleep 0.1; done
"""
# What gpsd says, for the oracle.
RECORDER = r"""exec 3<>/dev/tcp/127.0.0.1/2947
echo "?WATCH={\"enable\":true,\"json\":true}" >&3
exec cat <&3 >/run/gpsd.json"""
DIRECT_DAEMON = f"""systemd-run -q --unit=direct --setenv=RUNTIME_DIRECTORY=/run/nmea geofenced \
    --config /run/nmea/geofenced.conf --source nmea:/dev/virtio-ports/receiver2 --bus {BUS} \
    --state-dir /run/nmea
"""


class Clock:
    def __init__(self, image, tool, work, accel, seed):
        self.image, self.tool, self.work, self.accel = image, tool, work, accel
        self.rng = random.Random(seed)
        self.problems = []

    def boot(self):
        path, address = os.path.join(self.work, "disk.img"), os.path.join(self.work, "disk")
        subprocess.run(["cp", "--sparse=always", f"{self.image}/disk.img", path], check=True)
        fences = os.path.join(self.work, "road.geojson")
        drive.write_fences(fences, drive.road_fences(self.rng, 240))
        drive.put(path, fences, "/etc/geofenced/fences.d/road.geojson")
        self.disk = VolatileDisk(path, address)
        self.machine = Machine(self.image, self.work, address, self.accel)
        self.machine.wait("systemctl is-active --quiet geofenced gpsd", 60)
        self.machine.run(DIRECT + DIRECT_DAEMON, 60)
        self.machine.wait(f"geofencectl --bus {BUS} status >/dev/null", 60)

    def drive(self):
        receiver, machine = self.receiver, self.machine
        self.set_off()
        for name, command in STEPS:
            time.sleep(PAUSE)
            before = machine.run("date -u +%s.%N; cut -d' ' -f1 /proc/uptime").split()
            machine.run(command.format(now=int(time.time())))
            after = machine.run("date -u +%s.%N; cut -d' ' -f1 /proc/uptime").split()
            stepped = (float(after[0]) - float(before[0])) - (float(after[1]) - float(before[1]))
            print(f"  {name:32} clock moved by {stepped:16.1f} s", flush=True)
            if name == "a leap second":
                self.leap()
        time.sleep(PAUSE)
        self.arrive()

    def set_off(self):
        machine = self.machine
        machine.run(f"systemd-run -q --collect --unit=recorder bash -c '{RECORDER}'")
        machine.wait("""grep -q '"WATCH","enable":true' /run/gpsd.json""", 60)
        self.receiver.power(machine.tell_receivers)
        for bus in ("system", BUS):
            machine.wait(f"geofencectl --bus {bus} status --json | grep -q latitude", 60)
        self.receiver.moves = True

    def arrive(self):
        self.receiver.moves = False
        time.sleep(15)
        self.receiver.power(None)
        time.sleep(2)

    def leap(self):
        """Watches the insertion of the second: the difference of the clocks falls by one."""
        watch = ("for i in $(seq 25); do date -u +%s.%N; cut -d' ' -f1 /proc/uptime;"
                 " sleep 1; done")
        numbers = [float(word) for word in self.machine.run(watch, 90).split()]
        # The clocks are read one after the other: in each half the pair that was read fastest
        # counts.
        offsets = [wall - up for wall, up in zip(numbers[::2], numbers[1::2])]
        inserted = max(offsets[:8]) - max(offsets[-8:])
        print(f"  {'':32} a second put in: {inserted:.2f} s", flush=True)
        if not 0.5 < inserted < 1.5:
            self.problems.append("the kernel has put in no leap second")

    def events(self, bus):
        lines = self.machine.run(f"geofencectl --bus {bus} events --json", 120).splitlines()
        return [json.loads(line) for line in lines]

    def compare(self, name, ours, oracle):
        """Kind, fence, time, reason and order of every event."""
        def told(events):
            return [(event["kind"], event["fence"], event["time"], event["reason"])
                    for event in events]
        ours, oracle = told(ours), told(oracle)
        same = sum(a == b for a, b in zip(ours, oracle))
        print(f"  {name:32} {len(ours)} events, {len(oracle)} without steps, {same} identical",
              flush=True)
        for number, pair in enumerate(zip(ours, oracle)):
            if pair[0] != pair[1]:
                self.problems.append(f"{name}: event {number}: {pair[0]}, without steps {pair[1]}")
                break
        if len(ours) != len(oracle):
            self.problems.append(f"{name}: {len(ours)} events, without steps {len(oracle)}")

    def steps(self):
        self.receiver = drive.Receiver()
        self.drive()
        self.compare_both("")
        self.receiver.stop()

    def compare_both(self, when):
        """gpsd's epochs are the receiver's; from them, or from the receiver's own, come the events
        of the replay."""
        said = self.machine.run("cat /run/gpsd.json", 120)
        epochs = {json.loads(line)["time"] for line in said.splitlines()
                  if line.startswith('{"class":"TPV"') and '"time"' in line}
        sent = {moment.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
                for moment in self.receiver.moments}
        print(f"  gpsd{when}: {len(epochs)} epochs, "
              f"{len(epochs - sent)} of them not the receiver's", flush=True)
        if epochs - sent:
            self.problems.append(f"gpsd{when} dates an epoch {min(epochs - sent)}")
        oracle = drive.oracle(self.tool, self.work, [said], "gpsd.json")
        self.compare(f"gpsd{when}", self.events("system"), oracle)
        oracle = drive.oracle(self.tool, self.work, self.receiver.said)
        self.compare(f"nmea{when}", self.events(BUS), oracle)

    def started_in_1970(self):
        """A machine without a battery clock: gpsd and we begin in 1970, the date is set later."""
        machine = self.machine
        machine.run("systemctl stop recorder witness geofenced gpsd.socket gpsd direct && "
                    f"{EARLIEST} && "
                    "rm -rf /var/lib/geofenced/* /var/cache/geofenced/* "
                    "/run/geofenced /run/gpsd.json && "
                    # A state directory of which something is left is one that has lost its log.
                    "find /run/nmea -mindepth 1 -not -name geofenced.conf -not -name bus "
                    "-not -path '*/fences.d*' -delete")
        machine.run("systemctl start gpsd.socket gpsd geofenced")
        machine.run(DIRECT_DAEMON)
        machine.wait(f"geofencectl --bus {BUS} status >/dev/null", 60)
        self.receiver = drive.Receiver()
        self.set_off()
        time.sleep(2 * PAUSE)
        machine.run(f"date -u -s @{int(time.time())}")
        time.sleep(2 * PAUSE)
        self.arrive()
        self.compare_both(", begun in 1970")
        self.receiver.stop()


def main():
    image, tool = sys.argv[1:]
    accel = accelerator(image)
    seed = int(os.environ.get("SEED") or random.SystemRandom().randrange(1 << 32))
    work = tempfile.mkdtemp(prefix="powercut.", dir=os.environ.get("TMPDIR", "/tmp"))
    print(f"clock: SEED={seed} {accel}", flush=True)
    begun = time.monotonic()
    clock = Clock(image, tool, work, accel, seed)
    try:
        clock.boot()
        clock.steps()
        clock.started_in_1970()
    except (Silence, RuntimeError, OSError) as error:
        clock.problems.append(f"failed: {error}")
    finally:
        if hasattr(clock, "machine"):
            clock.machine.cut()
    for problem in clock.problems:
        print(problem)
    print(f"clock: {'FAILED' if clock.problems else 'good'} after {time.monotonic() - begun:.0f} s")
    if clock.problems:
        print(f"SEED={seed}; what is left of it is in {work}")
        sys.exit(1)
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
