"""The life of the package: installed, driven with, restarted, booted, upgraded, removed, purged."""

import json
import pathlib
import shutil
import sqlite3
import subprocess

from container import poll
from receiver import Receiver
from service import NAME, PATH, crossings, essence, numbered

BUILT_BY_STEPS = pathlib.Path(__file__).resolve().parent.parent / "Storage/StorageTests/Data/steps"


def relabelled(package, directory, suffix):
    """The same package with another version, for a daemon of that version: `suffix` is added to it."""
    tree = pathlib.Path(directory) / "relabelled"
    subprocess.run(["dpkg-deb", "-R", package, tree], check=True)
    control = tree / "DEBIAN/control"
    text = control.read_text()
    version = [l for l in text.splitlines() if l.startswith("Version: ")][0]
    text = text.replace(version, version + suffix)
    of_daemon = f"geofenced (= {version.split()[1]}"
    control.write_text(text.replace(of_daemon, of_daemon + suffix))
    made = pathlib.Path(directory) / f"geofenced{suffix}.deb"
    subprocess.run(["dpkg-deb", "-Znone", "--root-owner-group", "-b", tree, made], check=True,
                   capture_output=True)
    shutil.rmtree(tree)
    return made


def apt(container, *arguments):
    # There is no network: apt has only the packages in its cache.
    return container.run("apt-get", "-q", "-y", *arguments, timeout=300)


def install(container, package):
    shutil.copy(package, container.path("/root/geofenced.deb"))
    return apt(container, "install", "--allow-downgrades", "/root/geofenced.deb")


def freshly_installed(checks, service, package):
    """Installed in a fresh Debian with apt alone"""
    container = service.container
    install(container, package)
    checks.note("with gpsd " + container.out("dpkg-query", "-W", "-f", "${Version}", "gpsd"))
    checks.check(service.unit("ActiveState") == "active", "it is running after apt-get install")
    checks.check(service.unit("UnitFileState") == "enabled", "it is started at boot")
    up = service.is_up()
    checks.check(up, "it is on the bus at once", container.out("journalctl", "-u", "geofenced"))
    if not up:
        poll("it is on the bus", service.is_up)
    passwd = container.out("getent", "passwd", "geofenced").split(":")
    checks.check(passwd[6:] == ["/usr/sbin/nologin"] and 0 < int(passwd[2]) < 1000,
                 "there is a user geofenced who cannot log in", passwd)
    for directory, mode in (("/var/lib/geofenced", "700"), ("/run/geofenced", "711")):
        owner = container.out("stat", "-c", "%U:%G %a", directory)
        checks.check(owner == f"geofenced:geofenced {mode}", f"{directory} is its own", owner)
    failed = container.out("systemctl", "--failed", "--no-legend", "--plain")
    checks.check(not failed, "no unit has failed", failed)
    said = container.run("systemd-analyze", "verify", "--man=no", "geofenced.service", check=False)
    checks.check(said.returncode == 0 and not said.stderr,
                 "systemd-analyze verify has nothing to say", said.stderr)
    status = container.run("geofencectl", "status", check=False)
    checks.check(status.returncode == 0, "geofencectl status answers", status.stderr)


def exposure(container, unit="geofenced.service"):
    """As systemd-analyze rates the unit that is loaded: 0 to 10."""
    # The JSON output has no total.
    text = container.out("systemd-analyze", "security", "--no-pager", unit)
    return float(text.rsplit("Overall exposure level for", 1)[1].split(":")[1].split()[0])


def exposed_little(checks, service):
    """How much of the machine the running unit could touch"""
    level = exposure(service.container)
    checks.note(f"exposure of geofenced.service: {level}")
    checks.check(level <= 0.9, f"exposure {level} is at most 0.9")
    status = pathlib.Path(f"/proc/{service.main_pid()}/status").read_text()
    values = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    sets = [values[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")]
    checks.check(all(int(s, 16) == 0 for s in sets), "it has no capability and can get none", sets)
    checks.check(values["NoNewPrivs"] == "1" and values["Seccomp"] == "2",
                 "no new privileges, and a filter of system calls")


def told_everywhere(checks, service, drive):
    """A drive through the stock gpsd, restarted in the middle: journal, bus and log"""
    container = service.container
    receiver = service.begin(drive)
    cursor = service.cursor()
    monitor = service.monitor(f"type='signal',interface='{NAME}.Manager',member='Transition'")
    # In two fences, with an exit pending, and in five at once.
    for point in (60, 176, 260):
        service.drive_on(receiver, point)
        before = service.cursor()
        container.run("systemctl", "restart", "geofenced.service")
        service.hears_gpsd(before)
    service.drive_on(receiver, len(drive.epochs))
    events = service.events()
    container.run("journalctl", "--sync")
    oracle = service.replay(receiver)
    checks.same([essence(e) for e in events], [essence(e) for e in oracle],
                f"restarted 3 times in a drive: the {len(oracle)} events of a replay of it")
    checks.same(crossings(events), crossings(drive.golden), "they are the drive's reviewed events")
    checks.check(numbered(events), "numbered from 1 without a gap")
    checks.check(all(e["reason"] != "restart" for e in events), "none says 'restart'")
    told = [e for e in events if e.get("announced", True)]
    entries = service.journalled(cursor)
    # The first was announced before the cursor was read.
    first = int(entries[0]["GEOFENCE_SEQ"]) if entries else 0
    checks.same([(e["GEOFENCE_SEQ"], e["GEOFENCE_EVENT"], e["GEOFENCE_ID"], e["GEOFENCE_TIME"])
                 for e in entries],
                [(str(e["seq"]), e["kind"], e["fence"], e["time"])
                 for e in told if e["seq"] >= first], "each is in the journal, once and in order")
    checks.check(first <= 2 and all(e["PRIORITY"] == "5" for e in entries), "with priority 5")
    text = container.out("journalctl", "-q", "-x", "GEOFENCE_ID=bridge", "GEOFENCE_EVENT=enter")
    checks.check("Subject: Entered geofence bridge" in text and "The rule was" in text,
                 "journalctl -x GEOFENCE_ID=bridge explains it from the catalog", text)
    signals = [message["payload"]["data"] for message in service.heard(monitor)]
    checks.same([(s[0], s[1]) for s in signals],
                [(e["seq"], e["fence"]) for e in told if e["seq"] >= first],
                "each was a signal on the system bus, once and in order")
    receiver.unplug()


def booted_again(checks, service, drive):
    """Power off and on in the middle of a drive, in order"""
    container = service.container
    receiver = service.begin(drive)
    service.drive_on(receiver, 176)
    before, boot = service.events(), container.out("cat", "/proc/sys/kernel/random/boot_id")
    inside = presences(service)
    receiver.unplug()
    container.power_off()
    checks.note(f"up again after {container.boot():.1f} s")
    poll("the service is up", service.is_up)
    checks.check(container.out("cat", "/proc/sys/kernel/random/boot_id") != boot,
                 "the boot is another one")
    checks.check(service.events() == before, "the log of events is as it was")
    now_inside = presences(service)
    checks.check(inside and now_inside == inside, "presences are as they were", inside, now_inside)
    again = Receiver(container, drive)
    # gpsd was restarted too: the last epoch again, until it has identified the receiver.
    again.sent, again.before = receiver.sent, receiver.sent - 1
    again.warm_up()
    service.drive_on(again, len(drive.epochs))
    events = service.events()
    checks.same(crossings(events), crossings(drive.golden),
                "the drive's reviewed events, those of before the boot included")
    checks.check(numbered(events), "numbered from 1 without a gap")
    again.unplug()


def presences(service):
    """The fences it reports us inside of, from the bus."""
    done = service.container.run(
        "busctl", "--json=short", "call", NAME, PATH, NAME + ".Manager", "GetStates", "as", "0")
    states = json.loads(done.stdout)["data"][0]
    # Inside, uncertain or not, since when; by the one of the two clocks that continues over a boot.
    return {fence: value[1] for fence, value in states.items() if value[0] & 0xFF == 2}


def upgraded(checks, service, drive, package, directory):
    """Upgraded in the middle of a drive"""
    container = service.container
    receiver = service.begin(drive)
    container.run("geofencectl", "add", "mine", "--circle", "48,11,100", "--title", "Mine")
    service.drive_on(receiver, 176)
    old, pid, cursor = service.events(), service.unit("MainPID"), service.cursor()
    install(container, relabelled(package, directory, "+1"))
    version = container.out("dpkg-query", "-W", "-f", "${Version}", "geofenced")
    checks.check(version.endswith("+1"), f"it is version {version} now")
    poll("the service is up", service.is_up)
    checks.check(service.unit("MainPID") != pid, "the upgrade has restarted it")
    service.hears_gpsd(cursor)
    checks.check(service.events()[:len(old)] == old, "the events of before are there")
    service.drive_on(receiver, len(drive.epochs))
    events = service.events()
    checks.same([essence(e) for e in events], [essence(e) for e in service.replay(receiver)],
                "the events are those of the same drive without an upgrade")
    checks.check(all(e["reason"] != "restart" for e in events), "none says 'restart'")
    mine = container.run("geofencectl", "--json", "show", "mine", check=False)
    checks.check('"Mine"' in mine.stdout, "a fence of the time before is there", mine.stdout)
    receiver.unplug()


def built_by_steps(checks, service):
    """The files of a program whose schemas had been built up by steps"""
    container = service.container
    container.run("systemctl", "stop", "geofenced.service")
    container.run("sh", "-c", "rm -rf /var/lib/geofenced/* /var/cache/geofenced/* /etc/geofenced/fences.d/*")
    # Not through /proc: SQLite resolves links.
    state, expected = container.root / "var/lib/geofenced", None
    for script in sorted(BUILT_BY_STEPS.glob("*.sql")):
        path = state / f"{script.stem}.sqlite"
        database = sqlite3.connect(path)
        database.executescript(script.read_text())
        if script.stem == "events":
            expected = database.execute(
                "SELECT seq, fence, title, announced FROM event ORDER BY seq").fetchall()
        database.close()
        container.run("chown", "geofenced:geofenced", f"/var/lib/geofenced/{path.name}")
    # Those of files, too: an empty directory keeps them.
    fences = {row[0] for row in sqlite3.connect(state / "catalogue.sqlite").execute(
        "SELECT id FROM fence")}
    stays = {row[0] for row in sqlite3.connect(state / "events.sqlite").execute(
        "SELECT fence FROM stay")}
    cursor = service.cursor()
    container.run("systemctl", "start", "geofenced.service")
    poll("the service is up", service.is_up)
    checks.check(not service.said("set aside", cursor), "no file is set aside",
                 service.said("", cursor))
    got = [(e["seq"], e["fence"], e.get("title") or "", int(e.get("announced", True)))
           for e in service.events()]
    checks.same(got, [(s, f, t, a) for s, f, t, a in expected], "its events are there")
    listed = container.out("geofencectl", "--json", "list").splitlines()
    ids = {json.loads(line).get("id") for line in listed}
    checks.check(fences and ids == fences, "its fences are there", ids)
    checks.check(stays and set(presences(service)) == stays, "so are its presences",
                 presences(service))


def authorised(checks, service):
    """Who may: root, the group geofenced, and nobody else"""
    container = service.container
    run = container.run
    for user in ("insider", "outsider"):
        run("useradd", "--create-home", user)
    run("gpasswd", "-a", "insider", "geofenced")
    add = ("geofencectl", "add", "yard", "--circle", "48,11,100")
    asked = [(None, add, 0), ("insider", add, 0), ("outsider", add, 1),
             ("insider", ("geofencectl", "events"), 0), ("outsider", ("geofencectl", "events"), 1),
             ("insider", ("geofencectl", "list"), 0), ("outsider", ("geofencectl", "list"), 1),
             ("outsider", ("geofencectl", "window"), 1),
             ("insider", ("geofencectl", "status"), 0), ("outsider", ("geofencectl", "status"), 0)]
    for user, command, status in asked:
        done = run(*command, user=user, check=False)
        checks.check(done.returncode == status,
                     f"{user or 'root'}: {command[1]} is {'refused' if status else 'allowed'}",
                     done.returncode, done.stderr)
    said = run(*add, user="outsider", check=False).stderr
    checks.check("geofencectl:" in said, "and gets the reason", said)
    said = run("geofencectl", "events", user="outsider", check=False).stderr
    checks.check("not authorized to read-events" in said and "group geofenced" in said,
                 "a user without read-events gets instructions", said)
    checks.check(container.out("systemctl", "is-active", "polkit") == "active",
                 "polkitd was asked")
    # An administrator's rule is reported by polkit.
    rule = container.path("/etc/polkit-1/rules.d/10-outsider.rules")
    rule.write_text(
        'polkit.addRule(function(action, subject) {\n'
        f'  if (action.id == "{NAME}.manage-fences" && subject.user == "outsider")'
        ' return polkit.Result.YES;\n});\n')
    rule.chmod(0o644)
    poll("polkit allows it by a rule",
         lambda: run(*add, user="outsider", check=False).returncode == 0, 30, 0.5)
    checks.check(True, "outsider: add is allowed by a rule for polkit")
    hidden = run("cat", "/var/lib/geofenced/events.sqlite", user="insider", check=False)
    checks.check(hidden.returncode != 0, "insider: the database itself cannot be read")
    rule.write_text(
        'polkit.addRule(function(action, subject) {\n'
        f'  if (action.id == "{NAME}.read-events" && subject.user == "outsider")'
        ' return polkit.Result.YES;\n});\n')
    poll("polkit allows reading by a rule",
         lambda: run("geofencectl", "events", user="outsider", check=False).returncode == 0, 30, 0.5)
    checks.check(True, "outsider: events is allowed by a rule for polkit")
    rule.unlink()


def stays_stopped(checks, service):
    """Stopped by somebody: nothing on the bus starts it"""
    container = service.container
    run = container.run
    run("systemctl", "stop", "geofenced.service")
    for verb in (["status"], ["list"], ["events"], ["window"]):
        done = run("geofencectl", *verb, check=False)
        checks.check(done.returncode == 1 and "is not running" in done.stderr,
                     f"geofencectl {verb[0]} says that it does not run", done.stdout + done.stderr)
    text = container.out("geofencectl", "metrics")
    checks.check("\ngeofenced_up 0\n" in text + "\n", "metrics say geofenced_up 0", text)
    doctor = run("geofencectl", "doctor", check=False)
    checks.check(doctor.returncode == 1 and "daemon-stopped" in doctor.stdout, "so does the doctor",
                 doctor.stdout + doctor.stderr)
    called = run("busctl", "call", NAME, PATH, "org.freedesktop.DBus.Peer", "Ping", check=False)
    checks.check(called.returncode != 0, "a call is answered by the bus", called.stdout + called.stderr)
    started = run("busctl", "call", "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                  "StartServiceByName", "su", NAME, "0", check=False)
    checks.check(started.returncode != 0, "and cannot be told to start it", started.stdout)
    state = service.unit("ActiveState")
    checks.check(state == "inactive", "it is still stopped", state)
    run("systemctl", "start", "geofenced.service")
    poll("the service is up", service.is_up)


def removed(checks, service, package):
    """Removed, installed again, purged, installed again"""
    container = service.container
    exists = lambda path: container.run("test", "-e", path, check=False).returncode == 0
    events = service.events()
    apt(container, "remove", "geofenced")
    checks.check(container.run("pgrep", "-x", "geofenced", check=False).returncode != 0,
                 "removed: it does not run any more")
    checks.check(exists("/var/lib/geofenced/events.sqlite"), "removed: its state stays")
    checks.check(exists("/etc/geofenced/geofenced.conf"), "removed: its settings stay")
    checks.check(not exists("/run/geofenced"), "removed: its runtime directory is gone")
    install(container, package)
    poll("the service is up", service.is_up)
    checks.check(events and service.events() == events, "installed again: the events are there")
    apt(container, "purge", "geofenced")
    for path in ("/var/lib/geofenced", "/var/cache/geofenced", "/run/geofenced", "/etc/geofenced/geofenced.conf",
                 "/etc/systemd/system/multi-user.target.wants/geofenced.service",
                 "/etc/systemd/system/dbus-org.geofenced.Geofence1.service"):
        checks.check(not exists(path), f"purged: {path} is gone")
    left = container.out("sh", "-c", "dpkg -l geofenced 2>/dev/null | grep -c '^[^u]. *geofenced'",
                         check=False)
    checks.check(left in ("", "0"), "purged: dpkg knows nothing of it", left)
    install(container, package)
    poll("the service is up", service.is_up)
    checks.check(service.events() == [] and service.property("FenceCount") == 0
                 and not service.property("Degraded"), "installed again: it begins afresh")
