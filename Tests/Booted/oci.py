#!/usr/bin/env python3
"""usage: oci.py IMAGE.tar
The image for a host that runs containers, on this machine, see Tests/Booted/oci."""

import functools
import http.server
import json
import pathlib
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time

import uplink
from checks import Checks
from container import poll
from receiver import PACE, Drive
from service import FAST_MOTION, crossings, essence, numbered

NAME = "geofenced-try"


def podman(*arguments, check=True, timeout=120):
    done = subprocess.run(["podman", *map(str, arguments)], capture_output=True, text=True,
                          timeout=timeout)
    if check and done.returncode:
        raise RuntimeError(f"podman {arguments}: {done.stdout}{done.stderr}")
    return done


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


class Receiver:
    """A receiver on TCP, a gpsd in front of it, and a client of that gpsd that records."""

    def __init__(self, drive, port):
        self.drive, self.sent, self.said, self.recorded, self.times = drive, 0, b"", [], set()
        listener = socket.create_server(("127.0.0.1", 0))
        self.gpsd = subprocess.Popen(
            ["/usr/sbin/gpsd", "-N", "-n", "-S", str(port),
             f"tcp://127.0.0.1:{listener.getsockname()[1]}"], stderr=subprocess.DEVNULL)
        listener.settimeout(20)
        self.line = listener.accept()[0]
        self.client = poll("gpsd", functools.partial(self.connected, port))
        self.client.sendall(b'?WATCH={"enable":true,"json":true}\n')

    def connected(self, port):
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            return None

    def hear(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.client], [], [], left)[0]:
                *lines, self.said = (self.said + self.client.recv(1 << 16)).split(b"\n")
                self.recorded += [line.strip() for line in lines]
                self.times |= {json.loads(line).get("time") for line in lines
                               if b'"class":"TPV"' in line and b'"lat":' in line}

    def again(self):
        """The first epoch once more; whether gpsd has reported it."""
        self.line.sendall(self.drive.epochs[0])
        self.hear(0.1)
        return self.times

    def send(self, upto):
        for epoch in self.drive.epochs[self.sent:upto]:
            self.line.sendall(epoch)
            self.hear(PACE)
        self.sent = upto
        poll("gpsd is behind", lambda: self.hear(0.05) or len(self.times) >= upto - 2, 30)


class Box:
    """The container, with its settings in a directory of this machine."""

    def __init__(self, image, settings):
        self.image = podman("load", "--quiet", "-i", image).stdout.split()[-1]
        self.settings = settings

    def start(self):
        # Limits that any caller may set.
        podman("run", "--detach", "--name", NAME, "--network=host", "--cgroups=disabled",
               "--ulimit=nofile=4096:4096", "--ulimit=nproc=1000:1000",
               f"--volume={self.settings}:/etc/geofenced", self.image)

    def out(self, *command):
        return podman("exec", NAME, *command).stdout

    def connect(self, port):
        return socket.create_connection(("127.0.0.1", port))

    def json(self, *command):
        return [json.loads(line) for line in self.out("geofencectl", "--json", *command).splitlines()]

    def events(self):
        return [each for each in self.json("events") if "kind" in each]

    def status(self):
        done = podman("exec", NAME, "geofencectl", "--json", "status", check=False)
        return json.loads(done.stdout) if done.returncode == 0 else {}

    def kill(self, program):
        """If it is there: it may be between two lives. The kernel has 15 bytes of a program's name."""
        self.out("sh", "-c", f"pid=$(grep -lxs {program[:15]} /proc/[0-9]*/comm | cut -d/ -f3); "
                 '[ -z "$pid" ] || kill -9 $pid')

    def end(self):
        podman("rm", "--force", "--volumes", "--time=10", NAME, check=False)


def run_there(checks, box):
    """The image, started on a host without anything of ours"""
    box.start()
    status = poll("it answers", box.status)
    checks.note(json.dumps(status)[:300])
    processes = box.out("sh", "-c", "for p in /proc/[0-9]*; do grep -qs geofenced $p/comm && "
                        "grep -hE '^(Uid|CapBnd|NoNewPrivs)' $p/status | tr -s '\\t\\n' '  '; done; true")
    checks.check("CapBnd: 0000000000000000" in processes and "NoNewPrivs: 1" in processes and
                 "Uid: 0" not in processes, "its programs have no capabilities, and are not root",
                 processes)


def driven(checks, box, receiver, office):
    """A drive, with the programs killed in the middle"""
    poll("gpsd hears nothing", receiver.again, 60, 0.2)
    for point in (60, 176, 260, len(receiver.drive.epochs)):
        receiver.send(point)
        wanted = max(receiver.times)
        poll("the daemon is behind", lambda: (box.status().get("fix") or {}).get("time", "")
             >= wanted[:19], 60, 0.2)
        if point != len(receiver.drive.epochs):
            for program in ("geofenced", "geofenced-uplink"):
                box.kill(program)
            poll("it is there again", box.status, 60, 0.2)
    events = box.events()
    (box.settings / "recording.json").write_bytes(b"\n".join(receiver.recorded) + b"\n")
    oracle = [each for each in box.json(
        "replay", "/etc/geofenced/recording.json", "--fences", "/etc/geofenced/fences.d/drive.geojson")
        if "kind" in each]
    checks.same([essence(e) for e in events], [essence(e) for e in oracle],
                f"killed 3 times in a drive: the {len(oracle)} events of a replay of it")
    checks.same(crossings(events), crossings(receiver.drive.golden), "they are its reviewed events")
    checks.check(numbered(events), "numbered from 1 without a gap")
    announced = [e["seq"] for e in events if e.get("announced", True)]
    poll("the office is behind", lambda: len(set(office.numbers())) >= len(announced), 60)
    checks.same(sorted(set(office.numbers())), announced, "the office has what was announced")
    # There is no journal.
    degraded = box.status()["degraded"]
    checks.check(not degraded, "nothing is degraded", degraded)


def fed(checks, box):
    """Fences from a web server, and by hand"""
    listed = poll("the set of the office", lambda: [
        each for each in box.json("list") if str(each.get("id", "")).startswith("office/")], 150, 1)
    checks.check(len(listed) == 9, f"{len(listed)} fences of the office")
    box.out("geofencectl", "add", "by-hand", "--circle", "48,11,50")
    checks.check("by-hand" in box.out("geofencectl", "list"), "root in the container adds a fence")


def started_again(checks, box):
    """Stopped and started again: all is in its volume"""
    before = box.events()
    began = time.monotonic()
    podman("stop", "--time=10", NAME)
    checks.check(time.monotonic() - began < 8, f"it stops in {time.monotonic() - began:.1f} s")
    podman("start", NAME)
    poll("it answers", box.status)
    checks.check(box.events()[:len(before)] == before, "the log of events is as it was")
    checks.check("by-hand" in box.out("geofencectl", "list"), "and so are the fences")


def main():
    drive = Drive("antimeridian-drive")
    checks = Checks(lambda: podman("logs", "--tail=60", NAME).stderr)
    with tempfile.TemporaryDirectory(prefix="geofenced-oci.") as work:
        settings, served = pathlib.Path(work) / "etc", pathlib.Path(work) / "served"
        for directory in ("geofenced.conf.d", "fences.d", "sources.d", "uplink.d", "credentials"):
            (settings / directory).mkdir(parents=True)
        served.mkdir()
        # Where the drive does not come by.
        (served / "places.geojson").write_text(json.dumps({
            "type": "FeatureCollection", "features": [
                {"type": "Feature", "id": f"place-{number}", "properties": {"radius": 50},
                 "geometry": {"type": "Point", "coordinates": [11 + number / 10, 48]}}
                for number in range(9)]}))
        (settings / "fences.d/drive.geojson").write_bytes(drive.fences.read_bytes())
        port = free_port()
        (settings / "geofenced.conf.d/try.conf").write_text(
            f"[Source]\nURI=gpsd://localhost:{port}\n{FAST_MOTION}")
        web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(
            http.server.SimpleHTTPRequestHandler, directory=str(served)))
        threading.Thread(target=web.serve_forever, daemon=True).start()
        (settings / "sources.d/office.conf").write_text(
            f"[Source]\nURL=http://127.0.0.1:{web.server_port}/places.geojson\nType=geojson\n")
        (settings / "uplink.d/fleet.conf").write_text(
            f"[Uplink]\nURL=mqtt://127.0.0.1:{uplink.PORT}\nTenant=acme\nBox=truck\nFrom=oldest\n")
        (pathlib.Path(work) / "mosquitto.conf").write_text(
            f"listener {uplink.PORT} 127.0.0.1\nallow_anonymous true\nuser root\n")
        broker = subprocess.Popen(["/usr/sbin/mosquitto", "-c", f"{work}/mosquitto.conf"],
                                  stderr=subprocess.DEVNULL)
        box = Box(sys.argv[1], settings)
        receiver = Receiver(drive, port)
        try:
            office = uplink.Office(box)
            checks.scenario(run_there, checks, box)
            checks.scenario(driven, checks, box, receiver, office)
            checks.scenario(fed, checks, box)
            checks.scenario(started_again, checks, box)
        finally:
            box.end()
            for program in (broker, receiver.gpsd):
                program.terminate()
    sys.exit(checks.finish())


main()
