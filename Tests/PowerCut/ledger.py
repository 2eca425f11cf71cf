"""The events the machine has announced, and whether they are still in the log after a cut."""

import json
import threading
import time

OPENINGS = ("enter", "initial")


class Ledger:
    """`events`: those known to be announced, by number. A loss is recorded, not raised, so that a
    control run can count them."""

    def __init__(self):
        self.events = {}  # seq -> the line, byte for byte
        self.problems = []
        self.lost = 0
        self.entries = {}  # seq -> kind and fence, as the journal has them
        self.before = 0  # seq of the witness's last line in this boot
        self.changed = threading.Condition()

    def machine_starts(self):
        self.before = 0

    def hear(self, port, line):
        with self.changed:
            try:
                (self._bus if port == "bus" else self._journal)(json.loads(line), line)
            except (ValueError, KeyError, TypeError) as error:
                self.problems.append(f"{port}: {error!r}: {line[:200]!r}")
            self.changed.notify_all()

    def _bus(self, event, line):
        if "gap" in event:
            # A power cut within a commit: nobody has heard of these.
            after, following = event["gap"]["after"], event["gap"]["next"]
            heard = [seq for seq in range(after + 1, following) if seq in self.events]
            if heard or after != self.before:
                self.problems.append(f"after event {self.before} a gap {event}, heard: {heard}")
            self.before = following - 1
            return
        seq = event["seq"]
        # A restarted witness begins again.
        if seq not in (1, self.before + 1):
            self.problems.append(f"after event {self.before} comes {seq}")
        self.before = seq
        known = self.events.setdefault(seq, line)
        if known != line:
            self.lost += 1
            self.problems.append(f"event {seq} was {known!r}, is {line!r}")
            self.events[seq] = line

    def _journal(self, entry, _line):
        if "GEOFENCE_SEQ" not in entry:
            return
        self.entries[int(entry["GEOFENCE_SEQ"])] = (
            entry["GEOFENCE_EVENT"], entry.get("GEOFENCE_ID"))

    def wait(self, condition, seconds):
        """Until `condition()` holds; whether it does."""
        deadline = time.monotonic() + seconds
        with self.changed:
            return self.changed.wait_for(
                condition, timeout=max(0, deadline - time.monotonic()))

    def announced(self):
        """The last number that was announced either way."""
        return max(max(self.events, default=0), max(self.entries, default=0))

    def cut_back(self, last):
        """The log ends at `last` though more was announced: counts and forgets the rest."""
        gone = range(last + 1, self.announced() + 1)
        self.lost += len(gone)
        self.problems.append(f"announced up to {self.announced()}, in the log up to {last}")
        for seq in gone:
            self.events.pop(seq, None)
            self.entries.pop(seq, None)

    def check_journal(self):
        """Each entry of the journal is an event of the log."""
        for seq, (kind, fence) in self.entries.items():
            event = json.loads(self.events.get(seq, b"{}"))
            if (event.get("kind"), event.get("fence")) != (kind, fence):
                self.problems.append(f"the journal has {seq} {kind} {fence}, the log {event}")

    def log(self):
        return [json.loads(self.events[seq]) for seq in sorted(self.events)]


def alternation(log):
    """Errors in the order of openings and exits, and of lost and regained."""
    problems, inside, lost = [], set(), False
    for event in log:
        kind, fence, seq = event["kind"], event["fence"], event["seq"]
        if kind in OPENINGS:
            if fence in inside:
                problems.append(f"event {seq}: {kind} {fence} without an exit before it")
            inside.add(fence)
        elif kind == "exit":
            if fence not in inside:
                problems.append(f"event {seq}: exit {fence} without an enter before it")
            inside.discard(fence)
        elif kind in ("position-lost", "position-regained"):
            if (kind == "position-lost") == lost:
                problems.append(f"event {seq}: {kind} twice")
            lost = not lost
    return problems


def sequences(log):
    """By fence, the kinds of its events in order; an initial is an opening as an enter is."""
    result = {}
    for event in log:
        if event["fence"] is not None:
            kind = "enter" if event["kind"] == "initial" else event["kind"]
            result.setdefault(event["fence"], []).append(kind)
    return result


def inside(log):
    """The fences with an open stay at the end."""
    result = set()
    for event in log:
        if event["kind"] in OPENINGS:
            result.add(event["fence"])
        elif event["kind"] == "exit":
            result.discard(event["fence"])
    return result
