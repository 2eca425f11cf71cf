"""A box that drives in circles, an uplink, a broker, an ingest and a database, any of which can be
killed and started again. For `make test-fleet-faults`, `make test-fleet-lives` and `make
test-shards`."""

import array
import collections
import datetime
import fcntl
import json
import os
import pathlib
import subprocess
import termios
import time

import fleet
import office
import rounds

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = pathlib.Path(os.environ.get("PROGRAMS", HERE / "../../.build/release"))
# The receiver's time runs ahead of the arrival: see docs/PERFORMANCE-METHOD.md. The log is never shortened.
DAEMON = ("[Fix]\nRebaseSec=1d\n[Events]\nMaxEvents=10000000\nMaxSize=4G\n"
          "MaxAgeSec=36500d\n")
# Without it, reconnecting after a broker's end alone would take up to a minute.
UPLINK = "ReconnectSpreadSec=1s\n"
# A lost acknowledgement is waited for up to 10 min.
PATIENCE = 1500


def undisturbed(read, compare):
    """What `compare(log)` says of what `read()` gives, where no event came meanwhile: what was compared
    with the log may have it. The bytes in the pipe cause events for a while; half a minute after the last
    fix the position is lost."""
    while True:
        log = read()
        said = compare(log)
        if read() == log:
            return said


class Receiver:
    """A pipe to the daemon; bytes that a killed daemon has not read are read by the next one."""

    def __init__(self, path):
        os.mkfifo(path)
        self._pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self._begin = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        self._next = 0
        self._rest = b""

    def leap(self, span):
        """From now on the receiver's clock is that much ahead of what it was. A new time counts when some
        fixes agree on it, at the pace of this machine's clock."""
        self._begin += span
        for _ in range(6):
            while self._rest:
                self._write()
            self._rest = rounds.epoch(self._next, self._begin)
            self._next += 1
            self._write()
            time.sleep(1)

    @property
    def is_read(self):
        """Whether the daemon has read everything."""
        return not array.array("i", fcntl.ioctl(self._pipe, termios.FIONREAD, b"\0" * 4))[0]

    def feed(self):
        """Writes as much as fits into the pipe now."""
        while True:
            if not self._rest:
                self._rest = rounds.epoch(self._next, self._begin)
                self._next += 1
            try:
                self._write()
            except BlockingIOError:
                return

    def _write(self):
        self._rest = self._rest[os.write(self._pipe, self._rest):]


class Trial:
    def __init__(self, ours, chance, name="truck"):
        self.ours = ours
        self.chance = chance
        self.receiver = Receiver(ours.work / "receiver")
        self.box = fleet.Box(ours, name, f"nmea:{ours.work / 'receiver'}", DAEMON)
        (self.box.home / "fences.d" / "rounds.geojson").write_text(rounds.fences())
        ours.database()
        ours.broker()
        ours.set_up()
        self.ingest = ours.ingest()
        self.box.start(UPLINK)
        self.programs = {
            "uplink": self.box.uplink, "broker": ours.mosquitto, "ingest": self.ingest,
            "database": ours.postgres, "daemon": self.box.daemon}
        self.killed = collections.Counter()

    def events(self, *options):
        """The events of the daemon's log, as the tool prints them; None without a daemon."""
        done = subprocess.run(
            [self.ours.programs / "geofencectl", "--bus", self.box.bus, "events", "--json",
             *options], capture_output=True, text=True, start_new_session=True)
        if done.returncode:
            return None
        return [json.loads(line) for line in done.stdout.splitlines()]

    def announced(self):
        """The events that the office should have. What has ended is started, and waited for."""
        found = fleet.wait_for("event of the log", lambda: self.supervise() or self.events(),
                               self.box.daemon.log, 60)
        return [event for event in found if event.get("announced", True)]

    def last(self):
        """The last number of the log; None without a daemon."""
        found = self.events("--last", "1")
        return None if found is None else found[-1]["seq"] if found else 0

    def supervise(self):
        """Restarts programs, as the service manager does."""
        for program in self.programs.values():
            if program.has_ended:
                program.start()

    def drive_to(self, count, deadline=600):
        """Drives until the log has that many events."""
        end = time.monotonic() + deadline
        while (self.last() or 0) < count:
            if time.monotonic() > end:
                raise fleet.Failed(f"only {self.last()} of {count} events")
            until = time.monotonic() + 0.2
            while time.monotonic() < until:
                self.receiver.feed()
                time.sleep(0.002)
            self.supervise()

    def kill(self):
        name = self.chance.choice(sorted(self.programs))
        self.programs[name].kill()
        self.killed[name] += 1
        # The other programs may or may not notice.
        time.sleep(self.chance.choice([0, 0, 0.1, 1, 3]))
        if name == "database":
            # It cannot start before all of its processes have ended.
            self.wait_for_database()
        else:
            self.programs[name].start()

    def wait_for_database(self):
        """Starts it until it runs, and any other program that has ended."""
        fleet.wait_for("database", self._database, self.programs["database"].log, 60)

    def _database(self):
        self.supervise()
        return self.ours.accepts()

    def wait_until_stored(self, count):
        def stored():
            self.supervise()
            try:
                return office.count(self.ours) >= count
            except fleet.Failed:
                return False
        fleet.wait_for(f"table of {count} events", stored, self.box.uplink.log, PATIENCE)

    def faults(self, log):
        """What is wrong with the table of events, once it has as many as the log, of announced()."""
        self.wait_until_stored(len(log))
        return office.check(self.ours, log)
