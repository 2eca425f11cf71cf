"""Fences from a server, by geofenced-sync@NAME with the units that ship."""

import json
import os
import pathlib
import shutil
import subprocess

from container import poll
from life import apt, exposure

SERVER = pathlib.Path(__file__).resolve().parent.parent / "Companions/FenceSyncTests/Servers/faulty"
UNIT, PORT = "geofenced-sync@office.service", 8099


class Server:
    """On the container's loopback, with a file that says which fault it has."""

    def __init__(self, container, directory):
        self.container = container
        self.directory = pathlib.Path(directory) / "server"
        self.directory.mkdir(exist_ok=True)
        self.program = None

    def start(self, fault):
        self.has(fault)
        (self.directory / "port").unlink(missing_ok=True)
        self.program = subprocess.Popen(
            ["nsenter", "-t", str(self.container.leader), "-n", "--", "/usr/bin/python3", SERVER,
             str(self.directory), str(PORT)])
        poll("the server", (self.directory / "port").exists)

    def has(self, fault):
        (self.directory / "fault").write_text(fault)

    def requests(self):
        log = self.directory / "log"
        return log.read_text().splitlines() if log.exists() else []

    def stop(self):
        if self.program:
            self.program.terminate()
            self.program.wait()


def configure(container, name, text):
    for directory in ("sources.d", f"credentials/{name}"):
        container.path(f"/etc/geofenced/{directory}").mkdir(parents=True, exist_ok=True)
    container.path(f"/etc/geofenced/sources.d/{name}.conf").write_text(text)


def installed(container, package):
    beside = sorted(pathlib.Path(package).parent.glob("geofenced-sync_*.deb"), key=os.path.getmtime)
    shutil.copy(beside[-1], container.path("/root/geofenced-sync.deb"))
    return apt(container, "install", "/root/geofenced-sync.deb")


def taken_over(checks, service, package, work):
    """Fences of a server: first look, unchanged, a new one, no server, held, accepted"""
    container = service.container
    run = container.run
    installed(container, package)
    server = Server(container, work)
    level = exposure(container, UNIT)
    checks.check(level <= 1.5, f"exposure {level} of {UNIT} is at most 1.5")
    said = run("systemd-analyze", "verify", "--man=no", UNIT, "geofenced-sync@office.timer",
               check=False)
    checks.check(said.returncode == 0 and not said.stderr,
                 "systemd-analyze verify has nothing to say", said.stderr)
    configure(container, "office", f"[Source]\nURL=http://127.0.0.1:{PORT}/live/svc\n"
                                   "EntitySet=GeoLocation\nTimeoutSec=5s\n[Auth]\nType=none\n")

    def ids():
        listed = container.out("geofencectl", "--json", "list").splitlines()
        return sorted(f["id"] for f in map(json.loads, listed) if f["id"].startswith("office/"))

    def look(*options):
        done = run("geofencectl", "sync", "office", *options, check=False, timeout=120)
        return done.returncode, done.stdout + done.stderr

    ten = [f"office/w{n:02}" for n in range(10)]
    try:
        server.start("good")
        cursor = service.cursor()
        run("systemctl", "start", UNIT)
        checks.same(ids(), ten, "the first look stores the ten fences of the server")
        line = container.out("geofencectl", "sync")
        checks.check(line.startswith("office\t10 fences, imported "), "it says imported", line)
        first = len(server.requests())
        status, line = look()
        checks.check(status == 0 and "10 fences, unchanged" in line, "then unchanged", line)
        checks.check(len(server.requests()) == first + 3,
                     "in three pages, for it knows the version by then", server.requests())
        server.has("more")
        status, line = look()
        checks.same(ids(), ten + ["office/w10"], "a new fence arrives")
        server.stop()
        status, line = look()
        checks.check(status == 1 and "no-network" in line, "no server: no-network", line)
        checks.same(ids(), ten + ["office/w10"], "and every fence stays")
        text = container.out("geofencectl", "status")
        checks.check("office" in text and "no-network" in text, "geofencectl status says so", text)
        server.start("gone-60")
        status, line = look()
        checks.check("held" in line and "--accept" in line, "most of them gone: held", line)
        checks.same(ids(), ten + ["office/w10"], "and nothing is removed")
        status, line = look("--dry-run", "--accept")
        checks.check("0 would change, 7 would go" in line, "a dry run says what would go", line)
        checks.same(ids(), ten + ["office/w10"], "and removes nothing")
        status, line = look("--accept")
        checks.check(status == 0 and "4 fences, imported" in line, "accepted: imported", line)
        checks.same(ids(), ten[:4], "they are gone")
        for subject in ("New fences from office", "No fences from office",
                        "Fences of office are held"):
            text = container.out("journalctl", "-q", "-x", "--no-pager", "GEOFENCE_SOURCE=office")
            checks.check(subject in text, f"the journal explains: {subject}", text)
        server.has("good")
        run("systemctl", "restart", "geofenced.service")
        poll("the service is up", service.is_up)
        status, line = look()
        checks.check(status == 0 and ids() == ten, "after a restart of the daemon, too", line)
        run("systemctl", "enable", "--now", "geofenced-sync@office.timer")
        timers = container.out("systemctl", "list-timers", "--no-legend", "--plain")
        checks.check("geofenced-sync@office.timer" in timers, "its timer waits", timers)
        poll("the unit has ended",
             lambda: container.out("systemctl", "show", "--value", "-p", "ActiveState", UNIT)
             in ("inactive", "failed"))
        cgroup = container.out("systemctl", "show", "--value", "-p", "MemoryCurrent", UNIT)
        checks.check(cgroup in ("[not set]", "0"), "nothing of it runs between looks", cgroup)
        run("systemctl", "stop", "geofenced-sync@office.timer")
        for page in ("small-arrays", "towers", "keys", "geometry-text", "strings", "flaws"):
            server.has(f"heavy-{page}")
            # One after the other, sooner than the unit's start limit allows.
            run("systemctl", "reset-failed", UNIT, check=False)
            status, line = look()
            checks.check("killed" not in line and "fetching" not in line,
                         f"a page of {page} needs no more memory than the unit has", line)
            result = container.out("systemctl", "show", "--value", "-p", "Result", UNIT)
            checks.check(result in ("success", "exit-code"), "and nothing kills it", result)
        checks.check(set(ids()) >= set(ten[:4]), "the fences stay", ids())
        server.has("silent")
        run("touch", "/run/geofenced-sync/office.request")
        run("systemctl", "start", "--no-block", UNIT)
        poll("a look has begun", lambda: "fetching" in container.out("geofencectl", "sync"))
        run("systemctl", "kill", "-s", "KILL", UNIT)
        poll("it is killed",
             lambda: container.out("systemctl", "show", "--value", "-p", "ActiveState", UNIT)
             in ("inactive", "failed"))
        server.has("good")
        run("systemctl", "start", UNIT)
        line = container.out("geofencectl", "sync")
        checks.check("killed" in line, "the next look says that it was killed, and waits", line)
        status, line = look()
        checks.check(status == 0 and ids() == ten, "a person need not wait", line)
        run("rmdir", "/etc/geofenced/credentials/office")
        run("systemctl", "start", UNIT, check=False)
        checks.note("without the directory of credentials the unit "
                    + container.out("systemctl", "show", "--value", "-p", "Result", UNIT))
        failed = [e["MESSAGE"] for e in service.journal("SYSLOG_IDENTIFIER=geofenced", since=cursor)
                  if int(e.get("PRIORITY", 6)) <= 3]
        checks.check(not failed, "the daemon has no error to tell", failed)
    finally:
        server.stop()
        run("systemctl", "disable", "--now", "geofenced-sync@office.timer", check=False)
        run("systemctl", "reset-failed", check=False)
        run("rm", "-f", "/etc/geofenced/sources.d/office.conf")


POLKIT = """polkit.addRule(function (action, subject) {
    if (subject.user == "geofenced-sync" &&
        ["org.geofenced.Geofence1.read-events",
         "org.geofenced.Geofence1.read-location"].indexOf(action.id) >= 0)
        return polkit.Result.YES;
});
"""
ACTIVATION = """[D-BUS Service]
Name=org.geofenced.Sync1.around
Exec=/bin/false
User=geofenced-sync
SystemdService=geofenced-sync@around.service
"""


def place(epoch):
    """The position of an RMC sentence."""
    words = [w for w in epoch.decode().split("\r\n") if "RMC," in w][0].split(",")

    def degrees(text, hemisphere):
        whole = int(float(text) // 100)
        value = whole + (float(text) - whole * 100) / 60
        return -value if hemisphere in "SW" else value
    return degrees(words[3], words[4]), degrees(words[5], words[6])


def left_the_map(checks, service, drive, package, work):
    """What is near the vehicle: leaving it makes the bus start the unit"""
    container = service.container
    server = Server(container, work)
    installed(container, package)
    places = [place(drive.epochs[n]) for n in (5, -5)]
    (server.directory / "world.json").write_text(json.dumps([
        {"ID": f"p{n}", "Latitude": lat, "Longitude": lon, "Radius": 60}
        for n, (lat, lon) in enumerate(places)]))
    configure(container, "around",
              f"[Source]\nURL=http://127.0.0.1:{PORT}/world/svc\nEntitySet=GeoLocation\n"
              "Mode=nearby\n[Query]\nReachM=1500m\nMaxRadiusM=100m\nQueryGridDeg=0.01\n"
              "PauseSec=1s\n")
    container.path("/etc/polkit-1/rules.d").mkdir(parents=True, exist_ok=True)
    container.path("/etc/polkit-1/rules.d/50-geofenced-sync.rules").write_text(POLKIT)
    services = container.path("/usr/local/share/dbus-1/system-services")
    services.mkdir(parents=True, exist_ok=True)
    (services / "org.geofenced.Sync1.around.service").write_text(ACTIVATION)
    container.run("systemctl", "reload", "dbus")

    def near():
        listed = container.out("geofencectl", "--json", "list").splitlines()
        return sorted(f["id"] for f in map(json.loads, listed) if f["id"].startswith("around/"))

    try:
        server.start("world")
        receiver = service.begin(drive)
        service.drive_on(receiver, 10)
        done = container.run("geofencectl", "sync", "around", check=False)
        checks.check(done.returncode == 0 and "imported" in done.stdout, "the first look stores",
                     done.stdout + done.stderr)
        checks.same(near(), ["around/p0"], "what is near, and no more")
        listed = container.out("geofencectl", "show", "source/around/metafence")
        checks.check("source/around/metafence" in listed, "and the metafence", listed)
        before = len(server.requests())
        service.drive_on(receiver, len(drive.epochs))
        poll("the bus starts the unit", lambda: len(server.requests()) > before, 60)
        poll("what is near is stored", lambda: near() == ["around/p0", "around/p1"], 60)
        checks.check(True, "leaving the metafence made the bus start the unit")
        known = json.loads(container.out(
            "busctl", "--json=short", "call", "org.geofenced.Geofence1", "/org/geofenced/Geofence1",
            "org.geofenced.Geofence1.Manager", "ListConsumers"))
        checks.check("org.geofenced.Sync1.around" in str(known), "it is a durable consumer", known)
        receiver.unplug()
    finally:
        server.stop()
        for path in ("/etc/geofenced/sources.d/around.conf",
                     "/usr/local/share/dbus-1/system-services/org.geofenced.Sync1.around.service",
                     "/etc/polkit-1/rules.d/50-geofenced-sync.rules"):
            container.run("rm", "-f", path)
        container.run("systemctl", "reload", "dbus")
        container.run("busctl", "call", "org.geofenced.Geofence1", "/org/geofenced/Geofence1",
                      "org.geofenced.Geofence1.Manager", "UnregisterConsumer", "s",
                      "org.geofenced.Sync1.around", check=False)
