"""Companions with the rights that their units ship: each does its work, and can change nothing."""

import os
import pathlib
import shutil

from container import poll

ALERT = "geofenced-alert.service"


def changes_nothing(checks, container, unit):
    """What a taken-over program of that unit could do."""
    def value(name):
        return container.out("systemctl", "show", "--value", "-p", name, unit)
    groups = value("SupplementaryGroups").split()
    checks.check("geofenced-read" in groups and "geofenced" not in groups,
                 f"{unit} is in the group that reads, and not in the one that changes", groups)

    def run(*command):
        return container.run(
            "systemd-run", "--quiet", "--wait", "--pipe", "-p", f"User={value('User')}", "-p",
            f"Group={value('Group')}", "-p", f"SupplementaryGroups={' '.join(groups)}",
            *command, check=False)
    container.run("geofencectl", "add", "least-yard", "--circle", "48,11,100")
    before = container.out("geofencectl", "vehicle", "show")
    try:
        for command in [("events",), ("list",), ("window",), ("consumer", "list")]:
            done = run("geofencectl", *command)
            checks.check(done.returncode == 0, f"it may read: {command[0]}", done.stderr)
        for command in [("remove", "least-yard"), ("add", "least-gate", "--circle", "48,11,100"),
                        ("vehicle", "set", "--height", "2m"), ("vehicle", "confirm")]:
            done = run("geofencectl", *command)
            checks.check(done.returncode != 0 and "not authorized" in done.stderr,
                         f"it may not: {' '.join(command[:2])}", done.stderr)
        listed = container.out("geofencectl", "list")
        checks.check("least-yard" in listed and "least-gate" not in listed,
                     "the fences are those of before", listed)
        checks.same(container.out("geofencectl", "vehicle", "show"), before,
                    "the vehicle is that of before")
    finally:
        container.run("geofencectl", "remove", "least-yard", check=False)


def voice(checks, service, package):
    """The voice registers, is brought events, and can change nothing"""
    container = service.container
    run = container.run
    beside = pathlib.Path(package).parent.glob("geofenced-alert_*.deb")
    shutil.copy(max(beside, key=os.path.getmtime), container.path("/root/geofenced-alert.deb"))
    # Without what it speaks with, which needs a network. Not by dpkg-deb, which would replace the
    # link /lib by a directory.
    run("dpkg", "--force-depends", "--unpack", "/root/geofenced-alert.deb")
    run("systemd-sysusers", "geofenced-alert.conf")
    run("systemctl", "daemon-reload")
    run("systemctl", "reload", "dbus")
    try:
        run("systemctl", "start", ALERT)
        poll("it is registered", lambda: "org.geofenced.Alert1" in container.out(
            "geofencectl", "consumer", "list"))
        checks.check(container.out("systemctl", "is-active", ALERT) == "active",
                     "it has its name, and runs")
        changes_nothing(checks, container, ALERT)
    finally:
        run("systemctl", "stop", ALERT, check=False)
        run("geofencectl", "consumer", "remove", "org.geofenced.Alert1", check=False)
        run("dpkg", "--force-depends", "--purge", "geofenced-alert", check=False)
        run("systemctl", "daemon-reload")
        run("systemctl", "reset-failed", check=False)
