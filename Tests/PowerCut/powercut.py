#!/usr/bin/env python3
"""usage: powercut.py IMAGE-DIRECTORY GEOFENCECTL

Power cuts of a virtual machine, see README.md. CUTS, SEED and CONTROL come from the environment.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback

import drive
import ledger
from cut import Cut
from disk import VolatileDisk
from driver import Driver
from machine import SLOWNESS, Machine, Silence, accelerator

ROAD_FENCES = 240
FAR_FENCES = 20_000
FENCES = "/etc/geofenced/fences.d/road.geojson"
STATE = "/var/lib/geofenced"
# The longest permitted start of the service, s of the guest, from power-on and by itself.
ACTIVE_LIMIT, START_LIMIT = 60, 2


class Test:
    """`devices`: of the machine, for qemu, beside those it always has."""

    def __init__(self, image, tool, work, accel, seed, control):
        self.devices = []
        self.image, self.tool, self.work, self.control = image, tool, work, control
        self.rng = random.Random(seed)
        self.accel, self.slowness = accel, SLOWNESS[accel]
        self.ledger = ledger.Ledger()
        self.receiver = drive.Receiver()
        self.driver = Driver()
        self.machine = self.disk = None
        self.cuts = []
        self.pulled = threading.Event()
        self.titles = {"old", "new"}

    # The machine

    def make_disk(self, name):
        self.path = os.path.join(self.work, name)
        subprocess.run(["cp", "--sparse=always", f"{self.image}/disk.img", self.path], check=True)
        fences = os.path.join(self.work, "road.geojson")
        drive.put(self.path, fences, FENCES)
        for title in self.titles:
            drive.put(self.path, os.path.join(self.work, f"{title}.geojson"),
                      f"/var/tmp/{title}.geojson")
        if self.control == "nosync":
            drive.put(self.path, os.path.join(self.work, "nosync.so"), "/usr/lib/nosync.so")
            drive.put(self.path, os.path.join(self.work, "nosync.conf"),
                      "/etc/systemd/system/geofenced.service.d/nosync.conf")

    def boot(self, append=""):
        address = os.path.join(self.work, "disk")
        if os.path.exists(address):
            os.unlink(address)
        self.pulled.clear()
        self.disk = VolatileDisk(self.path, address, lies=self.control == "lying-disk")
        self.ledger.machine_starts()
        self.machine = Machine(
            self.image, self.work, address, self.accel, append, self.ledger.hear, self.devices)

    def pull(self, kept):
        """Cuts the power."""
        self.disk.is_off = True
        self.machine.cut()
        self.driver.end()
        self.receiver.power(None)
        numbers = self.disk.cut(self.rng, kept)
        self.disk.close()
        return numbers

    def cut(self, phase, act=lambda: None, window=(0.0, 6.0), work=None):
        """Waits for a random moment, and cuts. `act` runs meanwhile; `work` is the number of
        requests of each kind it makes, if known."""
        # The point in the disk's work: writes and flushes are where a commit can be damaged.
        kind = self.rng.choice(["time", "write", "write", "flush", "flushed", "announced"])
        if phase != "drive" and kind == "announced":
            kind = "write"
        moment = self.rng.uniform(*window)
        most = (work or {}).get(kind.removesuffix("ed"), 60)
        count = self.rng.randint(1, max(most, 1))
        kept = self.rng.choice([0.0, 0.5, 0.9])
        if kind == "time":
            cut = Cut(phase, f"{moment:.3f} s, kept {kept}")
            act()
            time.sleep(moment * (1 if phase == "drive" else self.slowness))
        elif kind == "announced":
            cut = Cut(phase, f"event +{count}, kept {kept}")
            target = self.ledger.announced() + count
            self.ledger.wait(lambda: self.ledger.announced() >= target, 60 * self.slowness)
        else:
            cut = Cut(phase, f"{kind} {count}, kept {kept}")
            self.disk.arm(kind, count, self.pulled.set)
            act()
            self.pulled.wait(60 * self.slowness)
        cut.unflushed, cut.gone = self.pull(kept)
        cut.announced = self.ledger.announced()
        self.cuts.append(cut)

    # After a cut

    def ready(self):
        machine = self.machine
        machine.wait("systemctl is-active --quiet geofenced gpsd", ACTIVE_LIMIT)
        times = dict(line.split("=") for line in machine.run(
            "systemctl show geofenced -p InactiveExitTimestampMonotonic "
            "-p ActiveEnterTimestampMonotonic -p NRestarts").split())
        active = int(times["ActiveEnterTimestampMonotonic"]) / 1e6
        start = active - int(times["InactiveExitTimestampMonotonic"]) / 1e6
        problems = []
        if int(times["NRestarts"]) != 0:
            problems.append(f"the service was restarted {times['NRestarts']} times")
        if start > START_LIMIT * self.slowness:
            problems.append(f"the service took {start:.1f} s to start")
        return active, start, problems

    def verify(self):
        """After the restart: the effect of the last cut. The drive continues."""
        cut, ledger_, machine = self.cuts[-1], self.ledger, self.machine
        problems = []
        cut.ready, cut.start, problems = self.ready()
        last = int(machine.run("busctl get-property org.geofenced.Geofence1 "
                               "/org/geofenced/Geofence1 org.geofenced.Geofence1.Manager LastSeq"
                               ).split()[1])
        cut.logged, cut.told = last, max(0, last - cut.announced)
        with ledger_.changed:
            if last < cut.announced:
                ledger_.cut_back(last)
        if not ledger_.wait(lambda: ledger_.before >= last, 30 * self.slowness):
            problems.append(f"the log is read up to {ledger_.before}, it should end at {last}")
        problems += self.files()
        problems += self.driver.problems(machine)
        with ledger_.changed:
            ledger_.check_journal()
            problems += ledger_.problems
            ledger_.problems = []
            problems += ledger.alternation(ledger_.log())
        return problems

    def files(self):
        machine, problems = self.machine, []
        for name in ("events", "catalogue"):
            answer = machine.run(
                f"sqlite3 -readonly {STATE}/{name}.sqlite 'PRAGMA integrity_check'", 120,
                check=False).strip()
            if answer != "ok":
                problems.append(f"{name}.sqlite: {answer}")
        there = set(machine.run(f"ls {STATE}").split())
        allowed = {f"{name}.sqlite{tail}" for name in ("events", "catalogue")
                   for tail in ("", "-wal", "-shm")} | {
                       "copies", "manifest", "manifest.second", "numbers", "vehicle", "vehicle.new",
                       "vehicle.second", "vehicle.second.new",
                       "events.second", "events.second.new", "events.second.route",
                       "events.second.route.new"}
        if there - allowed:
            problems.append(f"in the state directory: {' '.join(sorted(there - allowed))}")
        listed = machine.run("geofencectl list | awk -F'\\t' '{ n[$4 == \"\" ? $3 : $4]++ }"
                             " END { for (i in n) print i, n[i] }'")
        counts = dict(line.rsplit(" ", 1) for line in listed.splitlines())
        road = counts.pop("road.geojson", "0")
        if int(road) != 3 * ROAD_FENCES:
            problems.append(f"{road} fences of road.geojson, not {3 * ROAD_FENCES}")
        if counts and (len(counts) > 1 or list(counts.values()) != [str(FAR_FENCES)]):
            problems.append(f"the catalogue is neither the old nor the new one: {counts}")
        return problems

    def conclude(self, problems):
        cut = self.cuts[-1]
        cut.restarts = sum(
            event["reason"] == "restart" for event in self.ledger.log()) - sum(
            earlier.restarts for earlier in self.cuts[:-1])
        cut.verdict = "ok" if not problems else problems[0][:300]
        print(cut.line(len(self.cuts)), flush=True)
        for problem in problems[1:]:
            print(f"      {problem[:300]}", flush=True)
        return not problems

    # The phases

    def go(self):
        """Powers the receiver, waits for a fix, and drives off."""
        self.receiver.power(self.machine.tell_receiver_line)
        self.machine.wait("geofencectl status --json | grep -q latitude", 60)
        self.receiver.moves = True

    def first_starts(self, cuts):
        good = True
        for number in range(cuts):
            self.ledger = ledger.Ledger()
            self.make_disk("disk.img")
            self.boot("systemd.mask=geofenced.service")
            self.machine.run("true", 120)
            start = lambda: threading.Thread(target=self.quietly, daemon=True, args=(
                "systemctl unmask --runtime geofenced; systemctl start geofenced",)).start()
            self.cut("first", start, window=(0.0, 0.5))
            self.boot()
            good &= self.conclude(self.verify())
            self.pull(1.0)
        return good

    def quietly(self, command):
        try:
            self.machine.run(command, 120, check=False)
        except (Silence, OSError):
            pass

    def drives(self, cuts):
        good = True
        for number in range(cuts):
            self.go()
            begun = self.ledger.announced()
            self.ledger.wait(lambda: self.ledger.announced() > begun, 30 * self.slowness)
            self.driver.begin(self.machine)
            self.cut("drive")
            self.boot()
            good &= self.conclude(self.verify())
        return good

    def imports(self, cuts):
        """Alternates between two large catalogues: either is stored, whole."""
        if not cuts:
            return True
        good, title = True, "old"
        before, begun = dict(self.disk.counts), time.monotonic()
        self.machine.run("geofencectl import --replace /var/tmp/old.geojson", 300)
        work = {kind: self.disk.counts[kind] - before[kind] for kind in before}
        window = (0.0, (time.monotonic() - begun) / self.slowness)
        for number in range(cuts):
            title = "new" if title == "old" else "old"
            command = f"geofencectl import --replace /var/tmp/{title}.geojson"
            act = lambda: threading.Thread(
                target=self.quietly, daemon=True, args=(command,)).start()
            self.cut("import", act, window, work)
            self.boot()
            good &= self.conclude(self.verify())
        return good

    def arrive(self):
        """The end of the drive: the presences are those of a drive without cuts."""
        self.go()
        time.sleep(40)
        self.receiver.moves = False
        time.sleep(15)
        self.receiver.power(None)
        time.sleep(1)
        problems = self.verify()
        log = self.ledger.log()
        oracle = drive.oracle(self.tool, self.work, self.receiver.said)
        if (here := ledger.inside(log)) != (there := ledger.inside(oracle)):
            problems.append(f"inside at the end: {sorted(here)}, without cuts: {sorted(there)}")
        ours, theirs = ledger.sequences(log), ledger.sequences(oracle)
        different = [fence for fence in sorted(ours.keys() | theirs.keys())
                     if ours.get(fence) != theirs.get(fence)]
        for fence in different:
            problems.append(f"{fence}: {ours.get(fence)}, without cuts: {theirs.get(fence)}")
        counts = [sum(map(len, kinds.values())) for kinds in (ours, theirs)]
        return problems, *counts, len(different)

    # All of it

    def share(self, cuts):
        """The number of cuts in each phase: most of them in the drive, for a control run all."""
        if self.control:
            return 0, cuts, 0
        first = imports = max(1, cuts // 7) if cuts >= 3 else 0
        return first, cuts - first - imports, imports

    def run(self, cuts):
        """Whether everything is as it should be."""
        begun = time.monotonic()
        first, drives, imports = self.share(cuts)
        print(Cut.HEAD)
        good = self.first_starts(first)
        self.ledger = ledger.Ledger()
        self.make_disk("disk.img")
        self.boot()
        self.ready()
        good &= self.drives(drives)
        good &= self.imports(imports)
        problems, events, expected, different = self.arrive()
        for problem in problems:
            print(f"at the end: {problem[:300]}")
        print(f"{len(self.cuts)} cuts; {events} events of fences in the log, {expected} in "
              f"the same drive without cuts, {different} fences with other openings and exits; "
              f"{self.ledger.lost} announced and lost; {self.driver.count} heights set; "
              f"{sum(cut.gone for cut in self.cuts)} of {sum(cut.unflushed for cut in self.cuts)} "
              f"unflushed blocks lost; {time.monotonic() - begun:.0f} s")
        return good and not problems

    def loss(self):
        """What a control run has to find."""
        return self.ledger.lost


def main(kind=Test):
    """The run of a Test, as the environment wants it."""
    image, tool = sys.argv[1:3]
    cuts, seed = int(os.environ.get("CUTS", "20")), int(
        os.environ.get("SEED") or random.SystemRandom().randrange(1 << 32))
    control = os.environ.get("CONTROL", "")
    work = tempfile.mkdtemp(prefix="powercut.", dir=os.environ.get("TMPDIR", "/tmp"))
    accel = accelerator(image)
    print(f"SEED={seed} CUTS={cuts} {accel}"
          f"{f' CONTROL={control}' if control else ''}", flush=True)
    rng = random.Random(seed)
    drive.write_fences(f"{work}/road.geojson", drive.road_fences(rng, ROAD_FENCES))
    for title in ("old", "new"):
        drive.write_fences(f"{work}/{title}.geojson", drive.far_fences(rng, FAR_FENCES, title))
    if control == "nosync":
        here = os.path.dirname(os.path.abspath(__file__))
        subprocess.run(["cc", "-shared", "-fPIC", "-o", f"{work}/nosync.so",
                        f"{here}/nosync.c"], check=True)
        shutil.copy(f"{here}/nosync.conf", work)
    test = kind(image, tool, work, accel, seed, control)
    good = False
    try:
        good = test.run(cuts)
    except Exception:  # whatever it is, the seed is said and the disk is kept
        good = False
        traceback.print_exc()
    finally:
        test.receiver.stop()
        if test.machine and test.machine.process.poll() is None:
            test.machine.cut()
    if control:
        print("the control run has found the loss" if test.loss() else
              "the control run has found NOTHING")
        good = test.loss() > 0
    if good:
        shutil.rmtree(work)
    else:
        print(f"SEED={seed}; what is left of it is in {work}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
