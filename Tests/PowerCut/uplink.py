#!/usr/bin/env python3
"""usage: uplink.py IMAGE-DIRECTORY GEOFENCECTL PROGRAMS

Power cuts of a box with its uplink, see README.md: broker, database and the geofenced-ingest of the
directory PROGRAMS run on this machine. CUTS, SEED and CONTROL are those of powercut.py.
"""

import contextlib
import json
import os
import pathlib
import shlex
import signal
import sys

import drive
import powercut

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Drives"))

import fleet  # noqa: E402
import office  # noqa: E402

# The broker, as the machine sees it: all that its network leads to.
BROKER = "10.0.2.100"
# What may be away while the power is cut. The ingest is stopped, and afterwards stores what it
# cannot acknowledge to a box without power: it comes again. The broker is killed: events wait in
# the log.
AWAY = (None, "ingest", "broker")
# A lost acknowledgement is waited for up to 10 min.
PATIENCE = 1200


class Box(powercut.Test):
    """The machine of the power cuts with an uplink, and the office."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        # Who was away at the last cut, and the rows of the table then and before the machine was
        # back: the difference is what the office has and nobody could acknowledge.
        self.away, self.stored, self.unacknowledged = None, 0, 0
        self.faults = []

    def share(self, cuts):
        return 0, cuts, 0

    def run(self, cuts):
        with contextlib.ExitStack() as stack:
            self.start_office(stack)
            good = super().run(cuts)
            log = self.reported()
            if not self.faults:
                self.faults = office.check(self.ours, log)
            for fault in self.faults:
                print(f"office: {fault[:300]}")
            if not self.faults:
                print(f"office: {len(log)} events, table = log, nothing double, nothing missing")
                good &= self.notices(log)
        return good and not self.faults

    def loss(self):
        return len(self.faults)

    def start_office(self, stack):
        os.chmod(self.work, 0o711)
        work = pathlib.Path(self.work, "office")
        work.mkdir()
        ours = self.ours = fleet.Fleet(work, stack, sys.argv[3])
        credentials = fleet.certificate(work, BROKER)
        ours.database()
        ours.broker(*fleet.with_certificate(work))
        ours.set_up()
        self.ingest = ours.ingest(credentials=credentials)
        (work / "uplink.conf").write_text(
            fleet.uplink_settings(f"mqtts://{BROKER}", "truck", credentials=credentials))
        relay = shlex.join([sys.executable, str(HERE / "relay.py"), str(ours.port)])
        self.devices = [
            "-netdev", f"user,id=net,restrict=on,guestfwd=tcp:{BROKER}:8883-cmd:"
            + relay.replace(",", ",,"), "-device", "virtio-net-pci,netdev=net"]

    def make_disk(self, name):
        super().make_disk(name)
        work = self.ours.work
        drive.put(self.path, work / "uplink.conf", "/etc/geofenced/uplink.d/office.conf")
        drive.put(self.path, work / "certificate.pem", "/etc/geofenced/credentials/office/ca")

    def cut(self, *arguments, **options):
        self.away = self.rng.choice(AWAY)
        if self.away == "ingest":
            self.ingest.process.send_signal(signal.SIGSTOP)
        elif self.away == "broker":
            self.ours.mosquitto.kill()
        super().cut(*arguments, **options)
        self.stored = office.count(self.ours)
        if self.away == "ingest":
            self.ingest.process.send_signal(signal.SIGCONT)
        elif self.away == "broker":
            self.ours.mosquitto.start()

    def verify(self):
        """The office, too, knows no event that is not in the log."""
        rows = office.rows(self.ours)
        self.unacknowledged = len(rows) - self.stored
        problems = super().verify()
        with self.ledger.changed:
            log = {event["seq"]: event for event in self.ledger.log()}
        pairs = [(row, log.get(int(row[0]))) for row in rows]
        wrong = [f"the office has {row}, the log {event}" for row, event in pairs
                 if row[1] != "gap" and (event is None or not office.same(row, event))]
        return problems + wrong[:3] + ([f"and {len(wrong) - 3} more"] if len(wrong) > 3 else [])

    def conclude(self, problems):
        good = super().conclude(problems)
        line = f"      the office had {self.stored} of {self.cuts[-1].announced}"
        if self.away:
            line += f", without its {self.away}"
        if self.unacknowledged:
            line += f"; {self.unacknowledged} more were stored, not acknowledged, and sent again"
        print(line, flush=True)
        return good

    def reported(self):
        """The events that the office should have, when it has that many."""
        while True:
            log = self.announced()
            try:
                fleet.wait_for(f"table of {len(log)} events",
                               lambda: office.count(self.ours) >= len(log), seconds=PATIENCE)
            except fleet.Failed as why:
                self.faults.append(f"{why}, but of {office.count(self.ours)}")
                return log
            # Lost positions and timers cause more events for a while.
            if self.announced() == log:
                return log

    def announced(self):
        lines = self.machine.run("geofencectl events --json", 120).splitlines()
        return [event for line in lines if (event := json.loads(line)).get("announced", True)]

    def notices(self, log):
        """Whether the comparison sees that a row is gone."""
        self.ours.ask(f"DELETE FROM fleet.event WHERE seq = {self.rng.choice(log)['seq']}")
        if faults := office.check(self.ours, log):
            print(f"office: with a row deleted, as it must be: {faults[-1][:300]}")
        else:
            print("office: a row is deleted, and the comparison has NOT noticed")
        return bool(faults)


if __name__ == "__main__":
    powercut.main(Box)
