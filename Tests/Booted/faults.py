"""Faults of the machine: each in the middle of a drive, compared with the same drive without it."""

import json
import os
import pathlib
import signal
import statistics
import time

from container import poll
from receiver import RealTimeDrive
from service import crossings, essence, numbered, of_the_drive, seconds_since

# Where in the drive: on the way out of the first fence, in one with a dwell, at its bridge, in five
# at once, with a settle begun, outside of all, near the end.
POINTS = (4, 60, 80, 118, 150, 176, 205, 230, 260, 330)
READY_WITHIN = 2.0


def unbroken(checks, service, receiver, what, since=None):
    """The events are those of a replay of gpsd's whole output, in the log and in the journal."""
    drive = receiver.drive
    service.drive_on(receiver, len(drive.epochs))
    oracle, logged = service.replay(receiver), service.events()
    checks.check(numbered(logged), f"{what}: numbered from 1 without a gap")
    events = of_the_drive(logged)
    checks.same([essence(e) for e in events], [essence(e) for e in oracle],
                f"{what}: the {len(oracle)} events of the drive without it, none twice")
    checks.check(crossings(events) == crossings(drive.golden),
                 f"{what}: they are the drive's reviewed events", crossings(events))
    checks.check(all(e["reason"] != "restart" for e in events), f"{what}: none says 'restart'")
    if since:
        told = {str(e["seq"]) for e in logged if e.get("announced", True)}
        service.container.run("journalctl", "--sync")
        entries = [e["GEOFENCE_SEQ"] for e in service.journalled(since)]
        missing = sorted(told - set(entries), key=int)
        twice = len(entries) - len(set(entries))
        checks.check(not missing, f"{what}: each event is in the journal ({twice} said twice)",
                     missing)
    receiver.unplug()


def begin(service, drive):
    cursor = service.cursor()
    return service.begin(drive), cursor


def back(service, since, restarts):
    """Waits until systemd has restarted it, and it is connected to gpsd."""
    poll("started again", lambda: int(service.unit("NRestarts")) > restarts, 60)
    poll("the service is up", service.is_up)
    service.hears_gpsd(since)


def restarts(service):
    return int(service.unit("NRestarts"))


def killed(checks, service, drive):
    """SIGKILL, and how long until it is ready again"""
    receiver, start = begin(service, drive)
    taken = []
    for point in POINTS:
        service.drive_on(receiver, point)
        cursor, before = service.cursor(), restarts(service)
        pid = service.main_pid()
        began = time.monotonic()
        os.kill(pid, signal.SIGKILL)
        # Ready means notified to the service manager, not found by a slow query.
        poll("started again", lambda: restarts(service) > before, 30, 0.01)
        poll("ready", lambda: service.unit("SubState") == "running", 30, 0.01)
        taken.append(seconds_since(began))
        back(service, cursor, before)
    worst, median = max(taken), statistics.median(taken)
    checks.note(f"SIGKILL to ready: median {median:.2f} s, worst {worst:.2f} s of {len(taken)}")
    checks.check(median <= READY_WITHIN, "SIGKILL: ready again within 2 s, as a rule", taken)
    load, processors = os.getloadavg()[0], os.cpu_count()
    if worst > READY_WITHIN and load > 1.5 * processors:
        checks.skip("SIGKILL: ready again within 2 s, each time",
                    f"{worst:.1f} s once, but the machine is overloaded: {load:.0f} on "
                    f"{processors} processors")
    else:
        checks.check(worst <= READY_WITHIN, "SIGKILL: ready again within 2 s, each time", taken)
    unbroken(checks, service, receiver, f"{len(taken)} SIGKILLs", start)


def hung(checks, service, work):
    """A loop that hangs, and one that is stopped for a while, with the unit and settings as shipped"""
    drive = RealTimeDrive(work)
    start = service.cursor()
    receiver = service.begin(drive, settings=None)
    receiver.drive_for(8)
    for number in range(2):
        cursor, before = service.cursor(), restarts(service)
        began = time.monotonic()
        os.kill(service.main_pid(), signal.SIGSTOP)
        while restarts(service) == before and seconds_since(began) < 60:
            receiver.drive_for(1)
        taken = seconds_since(began)
        checks.check(taken < 20, f"hung (SIGSTOP): begun again after {taken:.1f} s, while driving")
        back(service, cursor, before)
        receiver.drive_for(6 + number)
    # Continued before the watchdog comes, which is fed every five seconds and waits for ten.
    fed = service.unit("WatchdogTimestampMonotonic")
    for _ in range(10):
        receiver.drive_for(1)
        if service.unit("WatchdogTimestampMonotonic") != fed:
            break
    pid = service.main_pid()
    os.kill(pid, signal.SIGSTOP)
    receiver.drive_for(7)
    os.kill(pid, signal.SIGCONT)
    receiver.drive_for(6)
    # An orderly restart loses no data sent meanwhile either.
    service.container.run("systemctl", "restart", "--no-block", "geofenced.service")
    receiver.drive_for(8)
    receiver.settle()
    service.catches_up(receiver)
    oracle, events = service.replay(receiver), service.events()
    checks.same([essence(e) for e in events], [essence(e) for e in oracle],
                f"hung twice, stopped for 7 s, restarted: the {len(oracle)} events without it")
    passes = sum(e["kind"] == "enter" for e in oracle)
    checks.check(passes > 12, f"there were {passes} fences on the way")
    kinds = {e["kind"] for e in events}
    checks.check(kinds <= {"enter", "exit"}, "the position was never lost", kinds)
    refused = json.loads(service.container.out("geofencectl", "--json", "status"))["refused"]
    checks.check(not refused.get("stale"), "no fix was refused as stale", refused)
    said = [e for e in service.journal("_PID=1", "UNIT=geofenced.service", since=start)
            if "Watchdog timeout" in str(e.get("MESSAGE"))]
    checks.check(len(said) == 2, "the watchdog says so each time", said)
    told = {str(e["seq"]) for e in events}
    service.container.run("journalctl", "--sync")
    entries = {e["GEOFENCE_SEQ"] for e in service.journalled(start)}
    checks.check(entries >= told, "each event is in the journal", told - entries)
    receiver.unplug()


def catalogue_lost(checks, service, drive):
    """The catalogue deleted, damaged, and an older one put back, in mid-drive: with the copy of what
    came over the bus, and without it"""
    container, run = service.container, service.container.run
    receiver, start = begin(service, drive)
    path, copies = "/var/lib/geofenced/catalogue.sqlite", "/var/lib/geofenced/copies"
    add = ("geofencectl", "add", "far", "--circle", "1,2,50")
    run(*add)
    for point, how, has_copy in ((60, "deleted", False), (90, "deleted", True),
                                 (118, "damaged", False), (170, "damaged", True),
                                 (205, "older", False), (240, "older", True)):
        service.drive_on(receiver, point)
        poll("there is a copy", lambda: container.out("sh", "-c", f"ls {copies} || true") == "bus.copy")
        cursor = service.cursor()
        run("systemctl", "stop", "geofenced.service")
        if how == "damaged":
            run("dd", "if=/dev/urandom", f"of={path}", "bs=4096", "count=2", "conv=notrunc")
        else:
            run("sh", "-c", f"rm {path}*")
        if how == "older":
            run("cp", "/root/older.sqlite", path)
            run("chown", "geofenced:geofenced", path)
        if not has_copy:
            run("rm", "-r", copies)
        run("systemctl", "start", "geofenced.service")
        poll("the service is up", service.is_up)
        service.hears_gpsd(cursor)
        if has_copy:
            poll("the fence is back", lambda: "far" in container.out("geofencectl", "list"))
            checks.check(service.said("back, from a copy", cursor),
                         f"{how}: filled again from the copy, and said")
            checks.check("fences-lost" not in service.property("Degraded"),
                         f"{how}: nothing is missing any more", service.property("Degraded"))
            continue
        checks.check("fences-lost" in service.property("Degraded"), f"{how}: Degraded says so",
                     service.property("Degraded"))
        shown = container.out("geofencectl", "status")
        checks.check("bus: 0 of 1" in shown, f"{how}: status says whose are lost", shown)
        if how == "deleted":
            # As it is now: without the fence.
            run("systemctl", "stop", "geofenced.service")
            run("cp", path, "/root/older.sqlite")
            run("systemctl", "start", "geofenced.service")
            poll("the service is up", service.is_up)
        run(*add)
        checks.check("fences-lost" not in service.property("Degraded"),
                     f"{how}: it ends when the fence is back", service.property("Degraded"))
    told = [e["kind"] for e in service.events() if e["kind"].startswith("fences-")]
    checks.check(told == 3 * ["fences-lost", "fences-back"],
                 "told as events, once each, where there was no copy", told)
    unbroken(checks, service, receiver, "the catalogue lost six times", start)


def state_emptied(checks, service, drive):
    """The directory of the state emptied in mid-drive, as when its disk is another one"""
    container, run = service.container, service.container.run
    receiver, _ = begin(service, drive)
    service.drive_on(receiver, 118)
    before = service.property("LogId")
    checks.check(not service.property("Degraded"), "a new machine misses nothing",
                 service.property("Degraded"))
    run("geofencectl", "add", "far", "--circle", "1,2,50")
    cursor = service.cursor()
    run("systemctl", "stop", "geofenced.service")
    run("sh", "-c", "rm -rf /var/lib/geofenced/*")
    run("systemctl", "start", "geofenced.service")
    poll("the service is up", service.is_up)
    service.hears_gpsd(cursor)
    degraded = service.property("Degraded")
    checks.check({"log-lost", "fences-lost"} <= set(degraded), "emptied: Degraded says so", degraded)
    checks.check(service.property("LogId") != before, "emptied: it is another log")
    doctor = run("geofencectl", "doctor", check=False)
    checks.check(doctor.returncode == 1 and "log-lost" in doctor.stdout + doctor.stderr,
                 "emptied: doctor says so", doctor.stdout)
    service.drive_on(receiver, 205)
    kinds = {e["kind"] for e in service.events()}
    checks.check(kinds >= {"log-lost", "fences-lost"}, "emptied: told as events", kinds)
    run("geofencectl", "accept-loss", "--log")
    run("geofencectl", "accept-loss")
    run("systemctl", "restart", "geofenced.service")
    poll("the service is up", service.is_up)
    checks.check(not service.property("Degraded"), "accepted, it is over, after a start, too",
                 service.property("Degraded"))
    receiver.unplug()


def crash_loop(checks, service, drive):
    """A daemon that crashes at every start is broken out of it; one that is killed is not"""
    receiver, _ = begin(service, drive)
    service.drive_on(receiver, 118)
    for how, seconds in (("KILL", 0.0), ("SEGV", 0.0)):
        cursor = service.cursor()
        for _ in range(3):
            before = restarts(service)
            os.kill(service.main_pid(), getattr(signal, "SIG" + how))
            poll("started again", lambda: restarts(service) > before, 30, 0.01)
            poll("ready", lambda: service.unit("SubState") == "running", 30, 0.01)
        poll("the service is up", service.is_up)
        said = service.said("begins without", cursor)
        if how == "KILL":
            checks.check(not said, "killed three times at its start: it begins with all it had", said)
        else:
            checks.check(said, "crashed three times at its start: it begins without its checkpoint")
            checks.check(service.property("Degraded") == ["crash-loop"], "Degraded says so",
                         service.property("Degraded"))
    service.hears_gpsd(cursor)
    service.drive_on(receiver, len(drive.epochs))
    checks.check("crash-loop" not in service.property("Degraded"), "after a fix it is well again")
    receiver.unplug()


def out_of_memory(checks, service, drive):
    """Killed by the kernel, out of memory"""
    receiver, start = begin(service, drive)
    for point in (118, 260):
        service.drive_on(receiver, point)
        cursor, before = service.cursor(), restarts(service)
        limit = MemoryLimit(service)
        # It already has more resident pages than this; the next page fault kills it.
        limit.lower()
        try:
            for _ in range(200):
                receiver.repeat()
                if restarts(service) > before or service.unit("SubState") != "running":
                    break
                service.container.run("geofencectl", "--json", "list", check=False)
        finally:
            limit.lift()
        back(service, cursor, before)
        checks.check(limit.killed(cursor), f"the OOM killer has killed it ({limit.how})")
    said = [e for e in service.journal("_PID=1", "UNIT=geofenced.service", since=start)
            if "killed" in str(e.get("MESSAGE"))]
    checks.check(len(said) >= 2, "systemd says so each time", said)
    unbroken(checks, service, receiver, "out of memory twice", start)


class MemoryLimit:
    """MemoryMax= if this machine delegates the memory controller to the container; with cgroup v1,
    a group with only the process in it."""

    def __init__(self, service):
        self.service = service
        container = service.container
        self.unit = container.path("/sys/fs/cgroup/system.slice/geofenced.service")
        self.group = None
        if (self.unit / "memory.max").exists():
            self.how = "MemoryMax="
            return
        self.how = "memory cgroup v1"
        mounts = [l.split() for l in pathlib.Path("/proc/mounts").read_text().splitlines()]
        memory = [m[1] for m in mounts if m[2] == "cgroup" and "memory" in m[3].split(",")]
        if not memory:
            raise RuntimeError("this machine limits nobody's memory")
        self.group = pathlib.Path(memory[0]) / f"geofenced-booted-{os.getpid()}"

    def lower(self):
        if self.group is None:
            self.service.container.run(
                "systemctl", "set-property", "--runtime", "geofenced.service", "MemoryMax=1M")
            return
        self.group.mkdir(exist_ok=True)
        self.pid = self.service.main_pid()
        (self.group / "cgroup.procs").write_text(str(self.pid))
        # Its existing pages stay with its previous group; in this one it may have no further page.
        (self.group / "memory.limit_in_bytes").write_text("4096")

    def lift(self):
        if self.group is None:
            self.service.container.run(
                "systemctl", "set-property", "--runtime", "geofenced.service", "MemoryMax=256M")
            return
        control = (self.group / "memory.oom_control").read_text().split()
        self.kills = int(control[control.index("oom_kill") + 1])
        if pathlib.Path(f"/proc/{self.pid}").exists():
            os.kill(self.pid, signal.SIGKILL)
        poll("an empty group", self._removed, 20)

    def _removed(self):
        try:
            self.group.rmdir()
            return True
        except OSError:
            return False

    def killed(self, since):
        if self.group is not None:
            return self.kills > 0
        entries = self.service.journal("_PID=1", "UNIT=geofenced.service", since=since)
        return any("oom-kill" in str(e.get("MESSAGE")) for e in entries)


def drop_in(container, name, text):
    """Sets or removes settings of the unit."""
    path = container.path(f"/run/systemd/system/geofenced.service.d/{name}.conf")
    if text is None:
        path.unlink()
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    container.run("systemctl", "daemon-reload")


def without_journal(checks, service, drive):
    """journald stopped, killed, and away for a while"""
    container = service.container
    run = container.run
    receiver, start = begin(service, drive)
    sockets = ("systemd-journald.socket", "systemd-journald-dev-log.socket")
    journald = "systemd-journald.service"
    service.drive_on(receiver, 60)
    # Stopped as a process, so that its socket fills; then killed; then not running at all.
    os.kill(container.pid(container.out(
        "systemctl", "show", "--value", "-p", "MainPID", journald)), signal.SIGSTOP)
    service.drive_on(receiver, 150)
    checks.check(service.property("State") == "running", "journald stopped: it goes on")
    run("systemctl", "kill", "-s", "KILL", journald)
    service.drive_on(receiver, 180)
    run("systemctl", "stop", journald, *sockets, check=False)
    service.drive_on(receiver, 262)
    run("systemctl", "start", *sockets, journald)
    service.drive_on(receiver, 300)
    run("systemctl", "restart", journald)
    unbroken(checks, service, receiver, "journald stopped, killed, away, restarted", start)


def without_bus(checks, service, drive):
    """The system bus killed, and restarted"""
    container = service.container
    receiver, start = begin(service, drive)
    for point, how in ((118, ("kill", "-s", "KILL", "dbus.service")),
                       (176, ("kill", "-s", "KILL", "dbus.service")),
                       (260, ("restart", "dbus.service"))):
        service.drive_on(receiver, point)
        pid = service.unit("MainPID")
        container.run("systemctl", *how)
        # The drive continues.
        receiver.send(point + 20)
        container.run("systemctl", "start", "dbus.service", check=False)
        poll("the name is owned again", service.is_up)
        checks.check(service.unit("MainPID") == pid,
                     f"dbus: {how[0]}: the same process owns its name again")
    unbroken(checks, service, receiver, "the bus killed twice, restarted once", start)


def disk_full(checks, service, drive):
    """The disk full for half of the drive"""
    container = service.container
    run = container.run
    run("systemctl", "stop", "geofenced.service")
    run("mount", "-t", "tmpfs", "-o", "size=2M,mode=700", "tmpfs", "/var/lib/geofenced")
    run("chown", "geofenced:geofenced", "/var/lib/geofenced")
    try:
        receiver, start = begin(service, drive)
        service.drive_on(receiver, 118)
        known = service.property("LastSeq")
        run("dd", "if=/dev/zero", "of=/var/lib/geofenced/ballast", "bs=4k", check=False)
        # To be sure that the disk is full for the daemon, not only for dd.
        receiver.send(260)
        poll("it says that it is degraded", lambda: service.property("Degraded"), 60)
        service.catches_up(receiver)
        checks.note(f"events committed: {known} before, {service.property('LastSeq')} with the "
                    f"disk full; degraded: {service.property('Degraded')}")
        checks.check(service.said("degraded", start), "disk full: the journal says so")
        run("rm", "/var/lib/geofenced/ballast")
        poll("it is well again", lambda: service.property("Degraded") in ([], False), 90)
        checks.check(True, "disk full: well again when there is room")
        unbroken(checks, service, receiver, "disk full for 142 fixes", start)
    finally:
        run("systemctl", "stop", "geofenced.service")
        run("umount", "/var/lib/geofenced", check=False)
