"""The service as its users see it: systemctl, geofencectl, journalctl, busctl."""

import datetime
import json
import select
import time

from container import poll
from receiver import Receiver

NAME, PATH = "org.geofenced.Geofence1", "/org/geofenced/Geofence1"
# A drive in fast motion: an outage in the test would be minutes of the drive, and a timer would
# decide a settle or a loss of position in the middle of it.
FAST_MOTION = "[Fix]\nStaleSec=1h\nLostSec=1d\n[Crossing]\nSettleSlackSec=1min\n"

# The interface of a signal that nobody but a monitor listens to.
PROBE = "org.geofenced.Probe"


def is_behind(cursor, other):
    """Of two journal cursors (sd_journal_get_cursor(3)): by number in one sequence, else by time."""
    one, two = (dict(part.split("=", 1) for part in each.split(";")) for each in (cursor, other))
    field = "i" if one["s"] == two["s"] else "t"
    return int(one[field], 16) > int(two[field], 16)


class Service:
    def __init__(self, container):
        self.container = container

    # --- Querying it

    def is_up(self):
        """On the bus and answering."""
        return self.property("Version") is not None

    def property(self, name):
        done = self.container.run(
            "busctl", "--json=short", "get-property", NAME, PATH, NAME + ".Manager", name,
            check=False)
        return json.loads(done.stdout)["data"] if done.returncode == 0 else None

    def unit(self, name):
        return self.container.out(
            "systemctl", "show", "--value", "-p", name, "geofenced.service")

    def main_pid(self):
        """The host's pid of the running daemon."""
        return self.container.pid(self.unit("MainPID"))

    def events(self):
        lines = self.container.out("geofencectl", "--json", "events").splitlines()
        return [e for e in map(json.loads, lines) if "kind" in e]

    def journal(self, *matches, since=None):
        """Entries as objects, the oldest first; `since` is a cursor.

        journalctl 252 now and then finds nothing behind a cursor together with a match, although it
        is there: the later entries are identified by their numbers instead."""
        text = self.container.out("journalctl", "-q", "-o", "json", *matches)
        entries = [json.loads(line) for line in text.splitlines()]
        return [entry for entry in entries if not since or is_behind(entry["__CURSOR"], since)]

    def cursor(self):
        """The current end of the journal."""
        self.container.run("journalctl", "--sync")
        text = self.container.out("journalctl", "-q", "-n", "1", "--show-cursor")
        return text.rsplit("-- cursor: ", 1)[1].strip()

    def journalled(self, since):
        """The events that were announced in the journal."""
        return [e for e in self.journal("SYSLOG_IDENTIFIER=geofenced", since=since)
                if "GEOFENCE_SEQ" in e]

    def said(self, text, since):
        return [e for e in self.journal("SYSLOG_IDENTIFIER=geofenced", since=since)
                if text in str(e.get("MESSAGE"))]

    def monitor(self, match):
        """A monitor of the system bus for what matches, once it listens; see heard().

        busctl of systemd 257 does not say that it listens when it prints JSON: signals are emitted
        until it prints one."""
        monitor = self.container.start(
            "busctl", "--json=short", "monitor", f"--match={match}",
            f"--match=type='signal',interface='{PROBE}'")

        def hears():
            self.container.run("busctl", "emit", "/", PROBE, "Probe")
            return select.select([monitor.stdout], [], [], 0.1)[0]

        poll("busctl monitor", hears, 20)
        return monitor

    def heard(self, monitor):
        """Ends a monitor; what matched, as objects."""
        messages = map(json.loads, self.container.stop(monitor).splitlines())
        return [message for message in messages if message["interface"] != PROBE]

    # --- Along a drive

    def begin_quietly(self, drive, settings=FAST_MOTION):
        """A service with only the fences of the drive, with these settings or, without any, the
        shipped ones; the journal's end before it was started."""
        run = self.container.run
        run("systemctl", "stop", "geofenced.service", "gpsd.service")
        run("sh", "-c", "rm -rf /var/lib/geofenced/* /var/cache/geofenced/* /etc/geofenced/fences.d/*")
        self.container.path("/etc/geofenced/geofenced.conf.d").mkdir(exist_ok=True)
        self.container.path("/etc/geofenced/geofenced.conf.d/10-fast-motion.conf").write_text(
            settings or "")
        self.container.path("/etc/geofenced/fences.d/drive.geojson").write_bytes(
            drive.fences.read_bytes())
        run("systemctl", "reset-failed")
        cursor = self.cursor()
        run("systemctl", "start", "geofenced.service")
        poll("the service is up", self.is_up)
        return cursor

    def begin(self, drive, settings=FAST_MOTION):
        """The same, and a gpsd without a known time; both have received the first epoch."""
        self.hears_gpsd(self.begin_quietly(drive, settings))
        receiver = Receiver(self.container, drive)
        receiver.warm_up()
        self.catches_up(receiver)
        return receiver

    def catches_up(self, receiver):
        """Waits until it has judged the last fix that gpsd has sent."""
        receiver.settle()
        wanted = microseconds(receiver.last_fix)
        poll("the service is behind gpsd",
             lambda: (self.property("LastFixTimestamp") or 0) >= wanted, 60)

    def drive_on(self, receiver, upto):
        """Sends the drive up to this epoch and waits until the service has judged it."""
        receiver.send(upto)
        self.catches_up(receiver)

    def hears_gpsd(self, since):
        """Waits until it has connected to gpsd since then: earlier data is lost."""
        poll("fixes come from gpsd", lambda: self.said("fixes come from gpsd", since))

    def replay(self, receiver):
        """The tool's replay of gpsd's whole output: the same drive without any fault."""
        self.container.path("/root/recording.json").write_bytes(receiver.recording)
        lines = self.container.out(
            "geofencectl", "--json", "replay", "/root/recording.json",
            "--fences", "/etc/geofenced/fences.d/drive.geojson").splitlines()
        return [e for e in map(json.loads, lines) if "kind" in e]


def microseconds(text):
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return round(moment.timestamp() * 1_000_000)


def essence(event):
    """The fields of an event that must be equal, whichever way it was received."""
    def rounded(name, factor):
        return None if event.get(name) is None else round(event[name] * factor)
    return (event["seq"], event["kind"], event.get("fence"), event.get("time"),
            event.get("fix_time"), event.get("reason"), event.get("inferred"),
            event.get("announced", True), rounded("distance_m", 10), rounded("stay_s", 1000))


def of_the_drive(events):
    """Without what was told of the catalogue, as if that had not been."""
    kept = [e for e in events if e["kind"] not in ("fences-lost", "fences-back")]
    return [e | {"seq": number} for number, e in enumerate(kept, 1)]


def numbered(events):
    return [e["seq"] for e in events] == list(range(1, len(events) + 1))


def crossings(events):
    """The part of them that a driver would notice."""
    return [(e["kind"], e.get("fence")) for e in events]


def seconds_since(began):
    return time.monotonic() - began
