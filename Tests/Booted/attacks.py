"""Attacks on the machine in the middle of a drive: over the bus, through gpsd's port, with fences.
The installed unit with the shipped settings, except for the drive's fast motion. Through each
attack an event is announced within half a second of its fix, but for what the machine makes everybody
wait for, memory stays below 64 MB, the service is not restarted, and the events are those of the drive
without it."""

import json
import pathlib

from service import essence
from stalls import Stalls

MEGABYTES = 64
DELAY = 0.5
# An epoch every 40 ms: the drive takes a quarter of a minute, and so does an attack.
PACE = 0.04
SECONDS = 12


def peak(service):
    """The peak memory of the service, in MB."""
    status = pathlib.Path(f"/proc/{service.main_pid()}/status").read_text()
    return int(next(l for l in status.splitlines() if l.startswith("VmHWM")).split()[1]) / 1024


def under(checks, service, drive, what, start, pace=PACE, tries=3):
    """The drive while `start()`, which returns an object with an `end`, is active; once more where an
    event was late, because the machine may have been busy with something else: what is late by itself is
    late each time."""
    receiver = service.begin(drive)
    cursor = service.cursor()
    pid = service.main_pid()
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")
    attack = start()
    with Stalls(service.container.root / "var/lib") as stalls:
        try:
            for epoch in drive.epochs[receiver.sent:]:
                receiver.line.write(epoch)
                receiver.attend(pace)
            receiver.sent = len(drive.epochs)
        finally:
            mistakes = attack.end()
        service.catches_up(receiver)
    checks.check(not mistakes, f"{what}: the attack was carried out", *mistakes)
    checks.check(service.main_pid() == pid, f"{what}: the service lives on")
    checks.check(peak(service) < MEGABYTES, f"{what}: memory below {MEGABYTES} MB", peak(service))
    # Other fences come and go; only those of the drive are compared.
    ours = {fence_id(f) for f in json.loads(drive.fences.read_text())["features"]}

    def of_drive(events):
        return [essence(e)[1:] for e in events if e.get("fence") in ours or not e.get("fence")]

    checks.same(of_drive(service.events()), of_drive(service.replay(receiver)),
                f"{what}: the events of the drive without it")
    late = delays(service, receiver, cursor, stalls)
    if tries > 1 and late and max(late) >= DELAY:
        checks.note(f"{what}: {max(late):.3f} s at the latest; again")
        receiver.unplug()
        return under(checks, service, drive, what, start, pace, tries - 1)
    checks.check(late and max(late) < DELAY,
                 f"{what}: announced within {DELAY} s of the fix", sorted(late)[-5:])
    checks.note(f"{what}: {max(late, default=0):.3f} s at the latest, {peak(service):.0f} MB")
    receiver.unplug()


def fence_id(feature):
    return str(feature.get("id", feature["properties"].get("id")))


def delays(service, receiver, cursor, stalls):
    """From when another client of gpsd received the proving fix to the entry in the journal, s, without
    what was a stall of the machine."""
    service.container.run("journalctl", "--sync")
    found = []
    for entry in service.journalled(cursor):
        heard = receiver.heard.get(entry.get("GEOFENCE_FIX_TIME"))
        # The journal's time of sending, not the time at which journald read it.
        stamp = int(entry.get("_SOURCE_REALTIME_TIMESTAMP", entry["__REALTIME_TIMESTAMP"]))
        if heard:
            found.append(stamp / 1e6 - heard - stalls.within(heard, stamp / 1e6))
    return found
