"""What the voice says and shows of a daemon that does not run, with the units that ship."""

import json
import os
import pathlib
import shutil
import signal
import time

from container import poll
from receiver import RealTimeDrive

ALERT = "geofenced-alert.service"
DROP_IN = f"/etc/systemd/system/{ALERT}.d/voice.conf"
FAILING = "/etc/systemd/system/geofenced.service.d/voice.conf"
HEARD = "/var/lib/geofenced-alert/heard"
LOSS = "There are no warnings of low bridges at present. Watch the signs."
BACK = "There are warnings of low bridges again."
# Far from the drive: known, and never ahead.
BRIDGE = {"type": "FeatureCollection", "features": [{
    "type": "Feature", "id": "bridge", "geometry": {"type": "Point", "coordinates": [20, 60]},
    "properties": {"approach": "cone", "title": "Low bridge",
                   "limits": {"height_m": 3.0, "basis": "signed"}}}]}


def says_who_watches(checks, service, package, work):
    """Stopped and upgraded in silence; masked and killed, and failing at each start, said once"""
    container = service.container
    run = container.run
    beside = pathlib.Path(package).parent.glob("geofenced-alert_*.deb")
    shutil.copy(max(beside, key=os.path.getmtime), container.path("/root/geofenced-alert.deb"))
    shutil.copy(package, container.path("/root/geofenced.deb"))
    receiver = service.begin(RealTimeDrive(work), settings=None)
    container.path("/root/bridge.geojson").write_text(json.dumps(BRIDGE))
    run("geofencectl", "import", "--origin", "roads/voice", "/root/bridge.geojson")
    run("geofencectl", "vehicle", "set", "--height", "4m")
    # Without what it speaks with, which needs a network.
    run("dpkg", "--force-depends", "--unpack", "/root/geofenced-alert.deb")
    run("systemd-sysusers", "geofenced-alert.conf")
    container.path(DROP_IN).parent.mkdir(parents=True, exist_ok=True)
    container.path(DROP_IN).write_text(
        "[Service]\nExecStart=\nExecStart=/usr/bin/geofenced-alert --notify off --tone off "
        "--speak /usr/local/bin/say\n")
    say = container.path("/usr/local/bin/say")
    say.write_text(f'#!/bin/sh\necho "$1" >>{HEARD}\n')
    say.chmod(0o755)
    run("systemctl", "daemon-reload")
    run("systemctl", "reload", "dbus")

    def status():
        return container.out("systemctl", "show", "--value", "-p", "StatusText", ALERT)

    def heard():
        path = container.path(HEARD)
        return path.read_text().splitlines() if path.exists() else []

    def until(what, condition, seconds):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                return checks.check(False, f"{what}: not within {seconds} s", status(), *heard())
            receiver.drive_for(0.5)
        checks.check(True, what)

    def never(what, condition, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not condition():
            receiver.drive_for(0.5)
        checks.check(not condition(), what, status(), *heard())

    def is_told(word):
        return lambda: word in status()

    def watches():
        return "nothing watches" not in status()

    try:
        run("systemctl", "start", ALERT)
        until("it watches", watches, 30)
        until("it knows after a boot that there are hazards",
              container.path("/var/lib/geofenced-alert/hazards").exists, 30)
        run("systemctl", "restart", "geofenced.service")
        never("a restart is nothing", is_told("no-daemon"), 15)
        run("dpkg", "-i", "/root/geofenced.deb")
        never("nor is an upgrade", is_told("no-daemon"), 15)
        poll("the service is up", service.is_up)
        run("systemctl", "stop", "geofenced.service")
        until("stopped by a person: its state says so", is_told("was stopped"), 20)
        never("and the driver hears nothing", heard, 35)
        run("systemctl", "start", "geofenced.service")
        until("started again", watches, 30)
        checks.check(not heard(), "of which the driver hears nothing, either", *heard())
        run("systemctl", "mask", "geofenced.service")
        os.kill(service.main_pid(), signal.SIGKILL)
        until("masked and killed: its state says so", is_told("no-daemon"), 20)
        until("the driver hears it", lambda: heard() == [LOSS], 40)
        run("systemctl", "unmask", "geofenced.service")
        run("systemctl", "reset-failed", "geofenced.service", check=False)
        run("systemctl", "start", "geofenced.service")
        until("and that it is over", lambda: heard() == [LOSS, BACK], 60)
        container.path(FAILING).parent.mkdir(parents=True, exist_ok=True)
        container.path(FAILING).write_text("[Service]\nExecStart=\nExecStart=/bin/false\n")
        run("systemctl", "daemon-reload")
        run("systemctl", "restart", "geofenced.service", check=False)
        until("failing at each start: its state says so", is_told("no-daemon"), 30)
        never("not said again within ten minutes", lambda: heard() != [LOSS, BACK], 30)
    finally:
        run("systemctl", "unmask", "geofenced.service", check=False)
        shutil.rmtree(container.path(FAILING).parent, ignore_errors=True)
        run("systemctl", "stop", ALERT, check=False)
        run("systemctl", "daemon-reload")
        run("systemctl", "restart", "geofenced.service")
        poll("the service is up", service.is_up)
        run("geofencectl", "consumer", "remove", "org.geofenced.Alert1", check=False)
        run("geofencectl", "remove", "--origin", "roads/voice", check=False)
        run("dpkg", "--force-depends", "--purge", "geofenced-alert", check=False)
        shutil.rmtree(container.path(DROP_IN).parent, ignore_errors=True)
        say.unlink()
        run("systemctl", "daemon-reload")
        run("systemctl", "reset-failed", check=False)
