"""The live map on its socket, with the units that ship."""

import http.client
import json
import os
import pathlib
import shutil
import socket

from container import poll
from life import apt, exposure

SOCKET, UNIT = "geofenced-map.socket", "geofenced-map.service"
PATH = "/run/geofenced-map/http"
SHORT = "/etc/systemd/system/geofenced-map.service.d/idle.conf"


class Unix(http.client.HTTPConnection):
    """HTTP over a socket of the container."""

    def __init__(self, path):
        super().__init__("localhost", timeout=20)
        self.file = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self.file))


def get(container, target):
    connection = Unix(container.path(PATH))
    connection.request("GET", target)
    answer = connection.getresponse()
    return answer.status, answer.read()


def looked_at(checks, service, package):
    """Off at first, started by who looks, ends when nobody does; reads and changes nothing"""
    container = service.container
    run = container.run
    active = lambda unit: run("systemctl", "is-active", unit, check=False).stdout.strip()
    beside = sorted(pathlib.Path(package).parent.glob("geofenced-map_*.deb"), key=os.path.getmtime)
    shutil.copy(beside[-1], container.path("/root/geofenced-map.deb"))
    apt(container, "install", "/root/geofenced-map.deb")
    checks.check(active(SOCKET) != "active", "installed: nothing listens")
    level = exposure(container, UNIT)
    checks.check(level <= 0.5, f"exposure {level} of {UNIT} is at most 0.5")
    said = run("systemd-analyze", "verify", "--man=no", UNIT, SOCKET, check=False)
    checks.check(said.returncode == 0 and not said.stderr,
                 "systemd-analyze verify has nothing to say", said.stderr)
    container.path(SHORT).parent.mkdir(parents=True, exist_ok=True)
    container.path(SHORT).write_text(
        "[Service]\nExecStart=\nExecStart=/usr/bin/geofenced-map --idle 2\n")
    run("systemctl", "daemon-reload")
    try:
        run("systemctl", "enable", "--now", SOCKET)
        checks.check(active(UNIT) != "active", "enabled: it does not run before somebody looks")
        owner = container.out("stat", "-c", "%U:%G %a", PATH)
        checks.check(owner == "root:geofenced-map 660", f"the socket is {owner}")
        stranger = run("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "test",
                       "-w", PATH, check=False)
        checks.check(stranger.returncode != 0, "a stranger may not open the socket")
        status, body = get(container, "/v1/state")
        checks.check(status == 200, f"it answers {status}", body)
        state = json.loads(body)
        checks.check("window" in state and "last_seq" in state, "the state is the daemon's", state)
        checks.check(active(UNIT) == "active", "the one who looked has started it")
        status, body = get(container, "/v1/events?after=0&max=5")
        checks.check(status == 200, f"it may read the events: {status}", body)
        status, body = get(container, "/v1/fences")
        checks.check(status == 200, f"it may read the fences: {status}", body)
        as_the_map = ["setpriv", "--reuid=geofenced-map", "--regid=geofenced-map",
                      "--groups=geofenced-read", "busctl", "call", "org.geofenced.Geofence1",
                      "/org/geofenced/Geofence1", "org.geofenced.Geofence1.Manager"]
        read = run(*as_the_map, "ReadEvents", "tu", "0", "1", check=False)
        checks.check(read.returncode == 0, "its group may read events", read.stderr)
        changed = run(*as_the_map, "Reload", check=False)
        checks.check("not authorized" in changed.stderr, "and may change nothing", changed.stderr)
        poll("the map ends when nobody looks", lambda: active(UNIT) == "inactive", 30)
        checks.check(active(SOCKET) == "active", "and its socket listens on")
        checks.check(get(container, "/")[0] == 200, "the next who looks starts it again")
    finally:
        run("rm", "-rf", str(pathlib.Path(SHORT).parent))
        run("systemctl", "daemon-reload")
    apt(container, "remove", "geofenced-map")
    checks.check(active(SOCKET) != "active" and active(UNIT) != "active",
                 "removed: nothing listens any more")
    apt(container, "purge", "geofenced-map")
    checks.check(run("test", "-e", "/etc/geofenced/map.conf", check=False).returncode != 0,
                 "purged: its settings are gone")
