"""Documented variants of the unit: a less exposed one, and one without gpsd."""

import datetime
import pathlib
import shutil
import time

from container import poll
from life import exposure
from receiver import PACE, Line
from service import crossings, essence

FILES = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/examples/unix-only"


def unix_only(checks, service, drive):
    """Over UNIX sockets alone: exposure, and a drive, killed in the middle"""
    container = service.container
    run = container.run
    systemd = "/etc/systemd/system"
    placed = {
        "unix-only.conf": f"{systemd}/geofenced.service.d/unix-only.conf",
        "geofenced-gpsd.socket": f"{systemd}/geofenced-gpsd.socket",
        "geofenced-gpsd.service": f"{systemd}/geofenced-gpsd.service",
        "50-unix-only.conf": "/etc/geofenced/geofenced.conf.d/50-unix-only.conf",
    }
    try:
        for name, path in placed.items():
            container.path(path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(FILES / name, container.path(path))
        run("systemctl", "daemon-reload")
        unix_only_placed(checks, service, drive)
    finally:
        run("systemctl", "disable", "--now", "geofenced-gpsd.socket", check=False)
        run("systemctl", "stop", "geofenced-gpsd.service", check=False)
        for path in placed.values():
            container.path(path).unlink(missing_ok=True)
        run("systemctl", "daemon-reload")
        run("systemctl", "restart", "geofenced.service")


def unix_only_placed(checks, service, drive):
    container = service.container
    run = container.run
    said = run("systemd-analyze", "verify", "--man=no", "geofenced.service",
               "geofenced-gpsd.socket", "geofenced-gpsd.service", check=False)
    checks.check(said.returncode == 0 and not said.stderr,
                 "systemd-analyze verify has nothing to say", said.stderr)
    level = exposure(container)
    checks.note(f"exposure of geofenced.service over UNIX sockets alone: {level}; of "
                f"geofenced-gpsd.service: {exposure(container, 'geofenced-gpsd.service')}")
    checks.check(level <= 0.2, f"exposure {level} is at most 0.2")
    run("systemctl", "enable", "--now", "geofenced-gpsd.socket")
    receiver = service.begin(drive)
    devices = pathlib.Path(f"/proc/{service.main_pid()}/net/dev").read_text().splitlines()[2:]
    checks.check([d.split(":")[0].strip() for d in devices] == ["lo"] and
                 devices[0].split()[1] == "0", "it has a network of its own, with nothing in it",
                 devices)
    service.drive_on(receiver, 176)
    cursor = service.cursor()
    run("systemctl", "kill", "-s", "KILL", "geofenced.service")
    poll("the service is up", service.is_up)
    service.hears_gpsd(cursor)
    service.drive_on(receiver, len(drive.epochs))
    events, oracle = service.events(), service.replay(receiver)
    checks.same([essence(e) for e in events], [essence(e) for e in oracle],
                f"over UNIX sockets alone: the {len(oracle)} events of a replay")
    checks.check(crossings(events) == crossings(drive.golden), "they are the reviewed events")
    boot = container.out("cat", "/proc/sys/kernel/random/boot_id").replace("-", "")
    checks.check({e["boot_id"] for e in events} == {boot}, "each has the boot's id", boot)
    receiver.unplug()


def own_line(checks, service, drive):
    """A receiver on a serial line, without gpsd, as in geofenced(8)"""
    container = service.container
    run = container.run
    line = Line(container)
    override = container.path("/etc/systemd/system/geofenced.service.d/override.conf")
    override.parent.mkdir(parents=True, exist_ok=True)
    override.write_text(manual_example().replace("/dev/ttyUSB0", line.name))
    try:
        run("systemctl", "daemon-reload")
        cursor = service.begin_quietly(drive)
        poll("the service has opened the line", lambda: has_open(service, line.name))
        for epoch in drive.epochs:
            line.write(epoch)
            time.sleep(PACE)
        poll("all its events",
             lambda: (service.property("LastSeq") or 0) >= len(drive.golden), 60)
        checks.same([essence(e) for e in service.events()],
                    [essence(rolled_over(e)) for e in drive.golden],
                    f"read from {line.name}, no gpsd: the drive's reviewed events to the digit")
        checks.check(service.said(f"fixes come from {line.name}", cursor),
                     "with the first sentence it says where fixes come from")
        checks.note(f"exposure with one device: {exposure(container)}")
    finally:
        line.unplug()
        override.unlink()
        run("systemctl", "daemon-reload")


def has_open(service, path):
    pid = service.unit("MainPID")
    return path in service.container.run(
        "sh", "-c", f"readlink /proc/{pid}/fd/*", check=False).stdout.split()


def rolled_over(event):
    """A live receiver that reports 2005 does not know of the GPS week-number rollover."""
    def later(text):
        moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
        moment += datetime.timedelta(weeks=1024)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {**event, "time": later(event["time"]), "fix_time": later(event["fix_time"])}


def manual_example():
    """The drop-in of the manual page."""
    page = (FILES.parent.parent / "man/geofenced.8").read_text()
    example = page.split("give it this one:\n")[1]
    return example.split(".Bd -literal -offset indent\n")[1].split(".Ed")[0]
