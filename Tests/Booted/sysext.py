#!/usr/bin/env python3
"""usage: sysext.py ROOT
The system extension on a machine with systemd: ROOT is a Debian with it in /var/lib/extensions."""

import pathlib
import signal
import sys

import life
from checks import Checks
from container import Container, poll
from receiver import Drive
from service import Service

PROGRAMS = ("geofencectl", "geofenced-alert", "geofenced-board", "geofenced-can", "geofenced-ingest", "geofenced-map",
            "geofenced-roads",
            "geofenced-sync", "geofenced-uplink", "../sbin/geofenced")
RULES = ("/usr/share/dbus-1/system.d/org.geofenced.Geofence1.conf",
           "/usr/share/polkit-1/actions/org.geofenced.Geofence1.policy")


def merged(checks, service):
    """A machine with the extension, booted"""
    container = service.container
    checks.note(container.out("sh", "-c", ". /etc/os-release; echo $PRETTY_NAME; "
                              "systemctl --version | head -1; ldd --version | head -1"))
    poll("the service is up", service.is_up)
    checks.check(service.unit("UnitFileState") != "enabled", "nobody has enabled it")
    packages = container.out("dpkg-query", "-W", "-f", "${Package}\n")
    checks.check("geofence" not in packages, "there is no package of ours")
    for program in PROGRAMS:
        said = container.out("/usr/bin/" + program, "--version")
        checks.check(said.startswith(program.rpartition("/")[2] + " "), said)
    for file in RULES:
        checks.check(container.run("test", "-s", file, check=False).returncode == 0, file)
    mapped = container.out("cat", f"/proc/{service.unit('MainPID')}/maps")
    libraries = {pathlib.Path(line.split()[-1]).parent.as_posix()
                 for line in mapped.splitlines() if ".so" in line}
    checks.note("libraries from " + ", ".join(sorted(libraries)))
    # A host's administrator makes it.
    container.path("/etc/geofenced/fences.d").mkdir()
    failed = container.out("systemctl", "--failed", "--no-legend", "--plain")
    checks.check(not failed, "no unit has failed", failed)


def withdrawn(checks, service):
    """The extension is taken away, and comes back"""
    container = service.container
    events = service.events()
    container.run("systemctl", "stop", "geofenced.service")
    checks.check(service.unit("ActiveState") == "inactive", "it can be stopped")
    container.run("systemd-sysext", "unmerge")
    checks.check(container.run("sh", "-c", "command -v geofencectl", check=False).returncode != 0,
                 "without it there is no geofencectl")
    # The kernel may release the loop device of the image a moment later: "Device or resource busy".
    poll("it is merged again",
         lambda: container.run("systemd-sysext", "merge", check=False).returncode == 0)
    container.run("systemctl", "start", "geofenced.service")
    poll("the service is up", service.is_up)
    checks.check(service.events() == events, "the log of events is as it was")


signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
container = Container(sys.argv[1])
checks = Checks(lambda: container.out(
    "journalctl", "-q", "-o", "short-precise", "--no-pager", "-n", "60", timeout=20))
service = Service(container)
drive = Drive("antimeridian-drive")
try:
    # An image is mounted from a loop device.
    is_image = any((container.root / "var/lib/extensions").glob("*.raw"))
    loops = [f"--bind={path}" for path in pathlib.Path("/dev").glob("loop*")] if is_image else []
    checks.note(f"booted in {container.boot(*loops):.1f} s")
    checks.scenario(merged, checks, service)
    checks.scenario(life.told_everywhere, checks, service, drive)
    checks.scenario(withdrawn, checks, service)
finally:
    container.end()
sys.exit(checks.finish())
