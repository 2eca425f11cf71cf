"""This version and the next one in turn in the middle of a drive, as a box with two slots boots them."""

import json
import os
import pathlib
import shutil
import signal
import sqlite3
import time

import life
from container import poll
from receiver import Receiver
from service import NAME, PATH, essence, numbered, of_the_drive

# In the environment: the package of the next version, which .ci/later-deb makes with next-version.patch.
LATER = "LATER"
STATE = "/var/lib/geofenced"
CONSUMER = "com.example.Reader1"
# What this version calls the kind that only the next one knows, and writes at each start.
KIND = "kind-77"
# Where in the drive the last release, if there is one, is upgraded to this version.
UPGRADE = 10
# Where in the drive it is switched to the next version and back, five times: after the exit with which
# a fence ends, outside of all, in one with a dwell, in five at once, and with a settle begun to the next
# version, which has the same catalogue: what is known of a fence that is filled again is its stay alone.
SWITCHES = (20, 40, 70, 85, 118, 150, 176, 205, 262, 300)
# By the number of the switch: after a SIGKILL; the disk is full from before the one until after the other.
KILLED = (3, 4)
FULL = (7, 8)
# The fence that ends with its exit.
ENDED = "start"


def fences(drive):
    """The fences of the drive and others: by file, by an import, over the bus; and a few hazards."""
    features = json.loads(drive.fences.read_text())["features"]
    for feature in features:
        feature["properties"]["once"] = feature["id"] == ENDED
    far = [{"type": "Feature", "id": f"far-{n}", "properties": {"radius": 50, "title": f"Far {n}"},
            "geometry": {"type": "Point", "coordinates": [11 + n / 100, 48]}} for n in range(300)]
    low = {"approach": "cone", "direction_deg": 90, "limits": {"height_m": 3.5, "basis": "signed"}}
    hazards = [{"type": "Feature", "id": f"low-{n}", "geometry": far[n]["geometry"],
                "properties": low} for n in range(5)]
    return {
        "file": features[1::3], "source/depots": features[2::3] + far[:200],
        "bus": features[0::3] + far[200:], "roads/test": hazards}


def collection(features):
    return json.dumps({"type": "FeatureCollection", "features": features})


def call(container, method, *arguments):
    done = container.run("busctl", "--json=short", "call", NAME, PATH, NAME + ".Manager", method,
                         *arguments)
    return json.loads(done.stdout)["data"] if done.stdout.strip() else None


def sets(container):
    """Of each origin how many fences it has, how many were accepted, which (its digest), and how many
    are lost; c5ddf594 says only the first."""
    return {name: [details.get(key, {}).get("data") for key in ("fences", "count", "digest", "lost")]
            for name, details in call(container, "ListOrigins")[0]}


def acknowledged(container):
    return {name: details["acked"]["data"] for name, details in call(container, "ListConsumers")[0]}


def copies(container):
    return len(container.out("sh", "-c", f"ls {STATE}/copies || true").split())


def fill(container):
    """Leaves no room on the disk."""
    container.run("sh", "-c", f"dd if=/dev/zero bs=4k >>{STATE}/ballast", check=False)


def unnamed(event):
    """Without its kind, which only one of the two versions can name."""
    return essence({**event, "kind": None})


def begin(service, drive, brought):
    """A receiver and a service with all the fences, of which the first epoch has been received."""
    container = service.container
    cursor = service.begin_quietly(drive)
    container.path("/etc/geofenced/fences.d/drive.geojson").write_text(collection(brought["file"]))
    container.run("systemctl", "restart", "geofenced.service")
    poll("the service is up", service.is_up)
    for origin, features in brought.items():
        container.path("/root/some.geojson").write_text(collection(features))
        if origin != "file":
            to = () if origin == "bus" else ("--origin", origin)
            container.run("geofencectl", "import", *to, "/root/some.geojson")
    container.run("geofencectl", "add", "mine", "--circle", "48,12,100", "--title", "Mine")
    container.run("geofencectl", "vehicle", "set", "--height", "4.2m")
    call(container, "RegisterConsumer", "sa{sv}", CONSUMER, "2", "after", "t", "0", "wake", "b",
         "false")
    service.hears_gpsd(cursor)
    receiver = Receiver(container, drive)
    receiver.warm_up()
    service.catches_up(receiver)
    return receiver


def switched(checks, service, drive, package, directory):
    """This version and the next one in turn, ten times along a drive"""
    container, run = service.container, service.container.run
    brought = fences(drive)
    debs = [package, os.environ[LATER]]
    first = os.environ.get("PREVIOUS") or package
    life.install(container, first)
    run("systemctl", "stop", "geofenced.service")
    # Else it would miss what was there before.
    run("rm", "-rf", "/var/cache/geofenced")
    run("mount", "-t", "tmpfs", "-o", "size=48M,mode=700", "tmpfs", STATE)
    run("chown", "geofenced:geofenced", STATE)
    try:
        start = service.cursor()
        receiver = begin(service, drive, brought)
        if first is not package:
            service.drive_on(receiver, UPGRADE)
            upgrade(checks, service, package)
        poll("there are copies", lambda: copies(container) == 3)
        for number, point in enumerate(SWITCHES, 1):
            service.drive_on(receiver, point)
            switch(checks, service, number, debs[number % 2])
        service.drive_on(receiver, len(drive.epochs))
        receiver.unplug()
        judge(checks, service, receiver, brought, start, directory)
    finally:
        life.install(container, package)
        run("systemctl", "stop", "geofenced.service")
        run("umount", STATE, check=False)
        run("rm", "-f", "/etc/geofenced/fences.d/drive.geojson")


def upgrade(checks, service, package):
    """From the last release, which may be of before the rule that an older version reads on."""
    events = service.events()
    before = sets(service.container)
    cursor = service.cursor()
    life.install(service.container, package)
    poll("the service is up", service.is_up)
    service.hears_gpsd(cursor)
    now = sets(service.container)
    checks.check({name: each[0] for name, each in now.items()} ==
                 {name: each[0] for name, each in before.items()}, "upgraded: all fences are there",
                 now, before)
    aside = service.said("set aside", cursor)
    checks.check(not aside, "upgraded: no file is set aside", aside)
    checks.check(not service.property("Degraded"), "upgraded: nothing is missed",
                 service.property("Degraded"))
    checks.same(service.events()[:len(events)], events, "upgraded: the events of before are there")


def switch(checks, service, number, deb):
    """Installs it in the middle of the drive, and compares what is there with before."""
    container, run = service.container, service.container.run
    what = (f"switch {number}, to {'the next' if number % 2 else 'this'} version"
            + ", killed" * (number in KILLED) + ", disk full" * (number in FULL))
    before, events = sets(container), service.events()
    if number != FULL[1]:
        # A full disk takes none: it is refused, and given again.
        call(container, "AckEvents", "st", CONSUMER, str(events[-1]["seq"]))
    acks = acknowledged(container)
    if number == FULL[0]:
        fill(container)
    elif number == FULL[1]:
        waiting = container.out("sh", "-c", "ls /run/geofenced")
        checks.check("-waiting" in waiting, f"{what}: events wait for the disk", waiting)
    cursor = service.cursor()
    if number in KILLED:
        os.kill(service.main_pid(), signal.SIGKILL)
    life.install(container, deb)
    poll("the service is up", service.is_up)
    service.hears_gpsd(cursor)
    if number == FULL[0]:
        # A daemon that stops makes room.
        fill(container)
    elif number == FULL[1]:
        checks.note(f"{what}: degraded: {' '.join(service.property('Degraded'))}")
        run("rm", f"{STATE}/ballast")
        poll("it is well again", lambda: service.property("Degraded") == [], 90)
    # Filled again within some seconds, by itself.
    end = time.monotonic() + 20
    while (now := sets(container)) != before and time.monotonic() < end:
        time.sleep(0.1)
    checks.check(now == before, f"{what}: the fences of all origins are there", now, before)
    degraded = set(service.property("Degraded"))
    checks.check(degraded <= ({"store-unwritable"} if number == FULL[0] else set()),
                 f"{what}: nothing is missed", degraded)
    now = service.events()[:len(events)]
    checks.same([unnamed(e) for e in now], [unnamed(e) for e in events],
                f"{what}: the events of before are there")
    checks.check(acknowledged(container) == acks and CONSUMER in acks,
                 f"{what}: a consumer is where it was", acknowledged(container), acks)
    poll("there are copies", lambda: copies(container) == 3)


def judge(checks, service, receiver, brought, start, directory):
    """At the end of the drive, with this version."""
    container, events = service.container, service.events()
    checks.check(numbered(events), "numbered from 1 without a gap and without a repetition",
                 [e["seq"] for e in events])
    new = [e for e in events if e["kind"] == KIND]
    checks.check(len(new) >= len(SWITCHES) // 2,
                 f"the next version has written {len(new)} events of a kind that this one passes on",
                 {e["kind"] for e in events})
    everything = [feature for features in brought.values() for feature in features]
    container.path("/etc/geofenced/fences.d/drive.geojson").write_text(collection(everything))
    oracle = service.replay(receiver)
    # Of a newer catalogue, which cannot be set aside without room for another, nothing is read.
    lost = [e["kind"] for e in events if e["kind"].startswith("fences-")]
    checks.check(lost == ["fences-lost", "fences-back"],
                 "fences were missed once, on the full disk, and that was told", lost)
    driven = of_the_drive(e for e in events if e not in new)
    checks.same([essence(e) for e in driven], [essence(e) for e in oracle],
                f"the others are the {len(oracle)} events of the same drive with one version")
    listed = container.out("geofencectl", "--json", "list").splitlines()
    ids = {json.loads(line).get("id") for line in listed}
    wanted = {feature["id"] for feature in everything} | {"mine"}
    checks.check(wanted - ids == {ENDED} and ids <= wanted,
                 "of all fences only the one that has ended is not there", wanted ^ ids)
    container.run("journalctl", "--sync")
    told = [int(e["GEOFENCE_SEQ"]) for e in service.journalled(start)]
    checks.same(told, [e["seq"] for e in events if e.get("announced", True)],
                "each event is in the journal, once and in order")
    container.run("systemctl", "stop", "geofenced.service")
    # Not where it is: SQLite resolves links.
    for path in container.path(STATE).glob("events.sqlite*"):
        shutil.copy(path, directory)
    with sqlite3.connect(pathlib.Path(directory) / "events.sqlite") as log:
        rows = dict(log.execute("SELECT later, count(*) FROM event GROUP BY later"))
    checks.check(rows.get(7, 0) > len(new) and rows.get(0, 0) > 0,
                 "both versions have written events", rows)
