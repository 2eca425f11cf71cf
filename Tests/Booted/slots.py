"""A box whose root is read-only and which has two of them, with this version and with the next one; an
update writes the other one and boots it, and what does not work is rolled back (A/B). What both share
is /var."""

import os
import pathlib
import shutil
import subprocess

import life
import packages
from container import poll
from receiver import Receiver
from service import FAST_MOTION, crossings, numbered
from switches import CONSUMER, KIND, LATER, acknowledged, call, sets, unnamed

# Where in the drive the other slot is booted: always inside of some, with an exit pending, in five at
# once. The second and the last time everything is killed.
POINTS = (176, 205, 260, 300)
CUT = (2, 4)
FENCES = "/etc/geofenced/fences.d/drive.geojson"


def images(container, drive, package, directory):
    """The container's root and a copy of it with the next version, both with all packages and with what
    the administrator wants of them, and their common /var; the two as a list, and /var."""
    run = container.run
    life.install(container, package)
    packages.install_all(container, package, directory)
    packages.configure(container)
    run("systemctl", "enable", *packages.made(2))
    run("systemctl", "stop", "geofenced.service", "gpsd.service")
    run("sh", "-c", "rm -rf /var/lib/geofenced/* /var/cache/geofenced/*")
    container.path("/etc/geofenced/geofenced.conf.d").mkdir(exist_ok=True)
    container.path("/etc/geofenced/geofenced.conf.d/10-fast-motion.conf").write_text(FAST_MOTION)
    container.path(FENCES).write_bytes(drive.fences.read_bytes())
    container.power_off()
    first = container.root
    second, shared = first.with_name("slot-b"), first.with_name("var")
    subprocess.run(["cp", "-a", first, second], check=True)
    shutil.copy(os.environ[LATER], second / "root/later.deb")
    subprocess.run(["chroot", second, "env", "-i", f"PATH={os.environ['PATH']}", "dpkg", "-i",
                    "--force-depends", "/root/later.deb"], check=True, capture_output=True)
    shutil.rmtree(second / "var")
    (second / "var").mkdir()
    (first / "var").rename(shared)
    (first / "var").mkdir()
    return [first, second], shared


def files(slot):
    """What is in its /etc, and when it was changed."""
    return {path: path.lstat().st_mtime_ns for path in (slot / "etc").rglob("*")}


def boot(container, slot, shared):
    container.root = slot
    return container.boot("--read-only", f"--bind={shared}:/var", "--tmpfs=/root:mode=700")


def bring(container):
    """Fences by an import and over the bus, a vehicle, a driver and a consumer."""
    feature = '{"type":"Feature","id":"far","properties":{"radius":50},' \
        '"geometry":{"type":"Point","coordinates":[11,48]}}'
    container.run("geofencectl", "import", "--origin", "source/depots", "-", input=feature)
    container.run("geofencectl", "add", "added", "--circle", "48,12,100")
    container.run("geofencectl", "vehicle", "set", "--height", "4.2m")
    container.run("geofencectl", "driver", "set", "4711")
    call(container, "RegisterConsumer", "sa{sv}", CONSUMER, "2", "after", "t", "0", "wake", "b",
         "false")


def known(container):
    """What was brought, as it is there."""
    return {
        "fences": sets(container), "vehicle": container.out("geofencectl", "vehicle", "show"),
        "driver": container.out("geofencectl", "driver", "show"),
        "consumer": acknowledged(container).get(CONSUMER)}


def booted_in_turn(checks, service, drive, package, directory):
    """Two slots with a read-only root, this version and the next one, in turn along a drive"""
    container = service.container
    slots, shared = images(container, drive, package, directory)
    before = [files(slot) for slot in slots]
    boot(container, slots[0], shared)
    poll("the service is up", service.is_up)
    refused = container.run("touch", "/etc/geofenced/written", check=False).stderr
    checks.check("Read-only file system" in refused, "nothing can be written to /etc", refused)
    bring(container)
    receiver, brought = Receiver(container, drive), known(container)
    receiver.warm_up()
    service.catches_up(receiver)
    for number, point in enumerate(POINTS, 1):
        service.drive_on(receiver, point)
        receiver = switch(checks, service, number, receiver, slots, shared, brought)
    service.drive_on(receiver, len(drive.epochs))
    events = service.events()
    checks.check(numbered(events), "numbered from 1 without a gap", [e["seq"] for e in events])
    later = [e for e in events if e["kind"] == KIND]
    checks.check(later, "the next version has written events of a kind of its own")
    checks.same(crossings(e for e in events if e not in later), crossings(drive.golden),
                "the others are the drive's reviewed events")
    receiver.unplug()
    container.power_off()
    checks.check([files(slot) for slot in slots] == before, "nothing in /etc was changed")


def switch(checks, service, number, receiver, slots, shared, brought):
    """Boots the other slot; the receiver in front of its gpsd."""
    container, drive = service.container, receiver.drive
    what = (f"boot {number}, of {'the next' if number % 2 else 'this'} version"
            + ", after a kill of everything" * (number in CUT))
    events = [unnamed(e) for e in service.events()]
    inside = life.presences(service)
    receiver.unplug()
    if number in CUT:
        container.cut()
    else:
        container.power_off()
    boot(container, slots[number % 2], shared)
    poll("the service is up", service.is_up)
    checks.same([unnamed(e) for e in service.events()][:len(events)], events, f"{what}: the events of before are there")
    checks.check(inside and life.presences(service) == inside, f"{what}: presences are as they were",
                 inside, life.presences(service))
    poll("all is there", lambda: known(container) == brought, 30)
    checks.check(not service.property("Degraded"), f"{what}: nothing is missed",
                 service.property("Degraded"))
    poll("what is enabled runs", lambda: packages.active(container) == sorted(packages.made(2)))
    journal = container.out("journalctl", "-q", "-b", "-u", "geofence*")
    refused = [line for line in journal.splitlines() if "Read-only file system" in line]
    checks.check(not refused, f"{what}: nothing was to be written to the root", *refused)
    again = Receiver(container, drive)
    # gpsd was started too: the last epoch again, until it has identified the receiver.
    again.sent, again.before = receiver.sent, receiver.sent - 1
    again.warm_up()
    return again
