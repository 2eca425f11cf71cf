"""From one version to another and back, and from one Debian to the next, in the middle of a drive."""

import os
import sqlite3

import life
from container import poll
from receiver import Receiver
from service import crossings, essence, numbered

NEXT = "/srv/next"
BACKUP = "/root/before-the-upgrade"


def schemas(service):
    """The schema version of each database."""
    state = service.container.root / "var/lib/geofenced"
    return {path.name: sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute(
        "PRAGMA user_version").fetchone()[0] for path in sorted(state.glob("*.sqlite"))}


def taken_back(checks, service, drive, package, directory):
    """The last release, this version, and back, along a drive"""
    container = service.container
    previous = os.environ.get("PREVIOUS")
    checks.note(f"the last release: {previous or 'this package as an older one'}")
    previous = previous or life.relabelled(package, directory, "~before")
    life.install(container, previous)
    poll("the service is up", service.is_up)
    receiver = service.begin(drive)
    container.run("geofencectl", "add", "mine", "--circle", "48,11,100", "--title", "Mine")
    service.drive_on(receiver, 60)
    container.run("rm", "-rf", BACKUP)
    container.run("geofencectl", "backup", BACKUP)
    before, schema = service.events(), schemas(service)

    def move_to(deb, upto, what):
        """Installs it, and drives on to there."""
        cursor, old = service.cursor(), service.events()
        life.install(container, deb)
        poll("the service is up", service.is_up)
        service.hears_gpsd(cursor)
        checks.check(service.events()[:len(old)] == old, f"{what}: the events of before are there")
        service.drive_on(receiver, upto)
        mine = container.run("geofencectl", "--json", "show", "mine", check=False)
        checks.check('"Mine"' in mine.stdout, f"{what}: so is a fence of before", mine.stdout)
        return service.said("set aside", cursor)

    aside = move_to(package, 176, "upgraded")
    checks.check(not aside, "upgraded: no file is set aside", aside)
    if schemas(service) == schema:
        aside = move_to(previous, len(drive.epochs), "taken back")
        checks.check(not aside, "taken back: no file is set aside", aside)
        events = service.events()
        checks.same([essence(e) for e in events], [essence(e) for e in service.replay(receiver)],
                    "taken back: the events are those of the same drive with one version")
        checks.check(numbered(events), "taken back: numbered from 1 without a gap")
    receiver.unplug()
    restored(checks, service, previous, before)


def restored(checks, service, previous, before):
    """Files of a newer schema under the older version, which then gets back its backup."""
    container = service.container
    last = service.events()[-1]["seq"]
    container.run("systemctl", "stop", "geofenced.service")
    for path in sorted((container.root / "var/lib/geofenced").glob("*.sqlite")):
        database = sqlite3.connect(path)
        if path.name == "events.sqlite":
            # A newer log that is not additive: no version makes one.
            database.execute("ALTER TABLE stay DROP COLUMN watch")
        database.execute("PRAGMA user_version=9999")
        database.close()
    cursor = service.cursor()
    life.install(container, previous)
    container.run("systemctl", "restart", "geofenced.service")
    poll("the service is up", service.is_up)
    aside = container.out("sh", "-c", "ls /var/lib/geofenced | grep unusable", check=False)
    checks.check("catalogue.sqlite.unusable-1" in aside and "events.sqlite.unusable-1" in aside,
                 "of a newer schema: the files are set aside", aside)
    checks.check(service.said("9999", cursor), "and it says why", service.said("", cursor))
    events = service.events()
    checks.check(all(e["seq"] > last for e in events), "no number is used twice", last, events)
    container.run("systemctl", "stop", "geofenced.service")
    container.run("geofencectl", "restore", BACKUP)
    container.run("systemctl", "start", "geofenced.service")
    poll("the service is up", service.is_up)
    checks.check(service.events()[:len(before)] == before,
                 "restored: the events of the backup are there", service.events()[:3], before[:3])
    mine = container.run("geofencectl", "--json", "show", "mine", check=False)
    checks.check('"Mine"' in mine.stdout, "restored: so is its fence", mine.stdout)
    container.run("sh", "-c", "rm -rf /var/lib/geofenced/*.unusable-* /var/lib/geofenced/*.before-restore")


def dist_upgraded(checks, service, drive):
    """Debian 12 becomes 13 in the middle of a drive, with a catalogue and a log in place"""
    container = service.container
    receiver = service.begin(drive)
    container.run("geofencectl", "add", "mine", "--circle", "48,11,100", "--title", "Mine")
    # In four fences, none with a dwell: one that comes due while the upgrade runs would be an event.
    service.drive_on(receiver, 220)
    old, inside = service.events(), life.presences(service)
    receiver.unplug()
    for path in container.path("/etc/apt/sources.list.d").glob("*"):
        path.unlink()
    container.path("/etc/apt/sources.list").write_text(f"deb [trusted=yes] file:{NEXT} ./\n")
    life.apt(container, "update")
    container.run(
        "apt-get", "-q", "-y", "-o", "Dpkg::Options::=--force-confdef",
        "-o", "Dpkg::Options::=--force-confold", "dist-upgrade", timeout=1800)
    release = container.out("cat", "/etc/debian_version")
    checks.check(release.startswith("13"), f"it is Debian {release} now")
    versions = {name: container.out("dpkg-query", "-W", "-f", "${Version}", name)
                for name in ("geofenced", "gpsd", "libsqlite3-0")}
    checks.note(", ".join(f"{name} {version}" for name, version in versions.items()))
    checks.check(versions["geofenced"].endswith("~deb13"), "with the package of that release")
    poll("the service is up", service.is_up)
    checks.check(service.events() == old, "the log of events is as it was")
    container.power_off()
    checks.note(f"up again after {container.boot():.1f} s")
    poll("the service is up", service.is_up)
    failed = container.out("systemctl", "--failed", "--no-legend", "--plain")
    checks.check(not failed, "no unit has failed", failed)
    checks.check(service.events() == old, "after a boot too")
    now_inside = life.presences(service)
    checks.check(inside and now_inside == inside, "presences are as they were", inside, now_inside)
    mine = container.run("geofencectl", "--json", "show", "mine", check=False)
    checks.check('"Mine"' in mine.stdout, "a fence of the time before is there", mine.stdout)
    again = Receiver(container, drive)
    again.sent, again.before = receiver.sent, receiver.sent - 1
    again.warm_up()
    service.drive_on(again, len(drive.epochs))
    wanted = "fixes come from gpsd " + versions["gpsd"].split("-")[0].split("~")[0]
    checks.check(service.said(wanted, None), f"it said: {wanted}")
    events = service.events()
    checks.same(crossings(events), crossings(drive.golden),
                "the drive's reviewed events, those of Debian 12 included")
    checks.check(numbered(events), "numbered from 1 without a gap")
    again.unplug()
