"""Events to the office, by geofenced-uplink@NAME with the units that ship."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import threading
import time

from container import poll
from least import changes_nothing
from life import apt, exposure

UNIT, PORT = "geofenced-uplink@fleet.service", 1899
NAME = "org.geofenced.Uplink1.fleet"


class Broker:
    """Debian's mosquitto on the container's loopback."""

    def __init__(self, container, directory):
        config = pathlib.Path(directory) / "mosquitto.conf"
        config.write_text(f"listener {PORT} 127.0.0.1\nallow_anonymous true\nuser root\n")
        self.program = subprocess.Popen(
            ["nsenter", "-t", str(container.leader), "-n", "--", "/usr/sbin/mosquitto",
             "-c", str(config)], stderr=subprocess.DEVNULL)

    def stop(self):
        self.program.terminate()
        self.program.wait()


class Office:
    """Takes events as an ingest does, and acknowledges them. MQTT 3.1.1, without a library."""

    def __init__(self, container):
        self.events, self.status, self.states = [], None, []
        self.socket = poll("the broker", lambda: connected(container))
        # Clean session, no keep-alive.
        self.send(0x10, text("MQTT") + b"\x04\x02\0\0" + text("office"))
        # With QoS 0: what is lost comes again.
        self.send(0x82, b"\0\1" + text("gf/1/+/+/event") + b"\0" + text("gf/1/+/+/status") + b"\0")
        self.input = self.socket.makefile("rb")
        threading.Thread(target=self.listen, daemon=True).start()

    def send(self, kind, body):
        size, rest = b"", len(body)
        while rest > 127 or not size:
            size, rest = size + bytes([rest % 128 | (128 if rest > 127 else 0)]), rest // 128
        self.socket.sendall(bytes([kind]) + size + (bytes([rest]) if rest else b"") + body)

    def listen(self):
        while head := self.input.read(1):
            size, shift = 0, 0
            while (byte := self.input.read(1)[0]) > 127:
                size, shift = size | (byte & 127) << shift, shift + 7
            body = self.input.read(size | byte << shift)
            if head[0] >> 4 == 3:
                length = int.from_bytes(body[:2], "big")
                self.take(body[2:2 + length].decode(), json.loads(body[2 + length:]))

    def take(self, topic, content):
        if topic.endswith("/status"):
            self.status = content
            self.states.append(content.get("state"))
            return
        envelopes = content if isinstance(content, list) else [content]
        events = [each["event"] for each in envelopes]
        self.events += events
        ranges = [[event["seq"]] * 2 for event in events]
        answer = json.dumps({"log": envelopes[0]["log"], "ranges": ranges})
        self.send(0x30, text(topic.removesuffix("event") + "down/ack") + answer.encode())

    def numbers(self):
        return [event["seq"] for event in self.events]

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


def text(string):
    return len(string).to_bytes(2, "big") + string.encode()


def connected(container):
    try:
        found = container.connect(PORT)
    except ConnectionRefusedError:
        return None
    found.settimeout(None)
    return found


def installed(container, package):
    beside = pathlib.Path(package).parent.glob("geofenced-uplink_*.deb")
    shutil.copy(max(beside, key=os.path.getmtime), container.path("/root/geofenced-uplink.deb"))
    return apt(container, "install", "/root/geofenced-uplink.deb")


def hears_of_the_daemon(checks, container, office):
    """A daemon that was stopped, fails at each start, is masked, or is only started again"""
    run = container.run
    broken = container.path("/run/systemd/system/geofenced.service.d/broken.conf")

    def hears(state, why, seconds=30):
        begin = time.monotonic()
        poll(f"the office hears: {why}", lambda: (office.status or {}).get("state") == state, seconds)
        checks.check(True, f"the office hears within {time.monotonic() - begin:.0f} s: {why}")

    hears("idle", "all is well")
    count = len(office.states)
    run("systemctl", "restart", "geofenced")
    poll("a status of the new daemon", lambda: len(office.states) > count)
    time.sleep(15)
    checks.check(set(office.states[count:]) == {"idle"}, "one that was restarted was not gone",
                 office.states[count:])
    run("systemctl", "stop", "geofenced")
    hears("stopped", "it was stopped")
    checks.check(office.status.get("log") and office.status.get("since"),
                 "since when, and what is known of its log", office.status)
    run("systemctl", "start", "geofenced")
    hears("idle", "it was started")
    broken.parent.mkdir(parents=True, exist_ok=True)
    broken.write_text("[Service]\nExecStart=\nExecStart=/bin/false\n")
    run("systemctl", "daemon-reload")
    run("systemctl", "kill", "--kill-whom=main", "--signal=KILL", "geofenced")
    hears("no-daemon", "it fails at each start")
    broken.unlink()
    run("systemctl", "daemon-reload")
    hears("idle", "it is mended")


def sent_to_the_office(checks, service, drive, package, work):
    """Events to a broker: none, there, a killed program, nothing twice in the office"""
    container = service.container
    run = container.run
    installed(container, package)
    receiver = service.begin(drive)
    container.path("/etc/geofenced/credentials/fleet").mkdir(parents=True, exist_ok=True)
    container.path("/etc/geofenced/uplink.d/fleet.conf").write_text(
        f"[Uplink]\nURL=mqtt://127.0.0.1:{PORT}\nTenant=acme\nBox=truck\nFrom=oldest\n")
    level = exposure(container, UNIT)
    checks.check(level <= 1.5, f"exposure {level} of {UNIT} is at most 1.5")
    said = run("systemd-analyze", "verify", "--man=no", UNIT, check=False)
    checks.check(said.returncode == 0 and not said.stderr,
                 "systemd-analyze verify has nothing to say", said.stderr)

    def line():
        lines = container.out("geofencectl", "status").splitlines()
        return next((each for each in lines if each.startswith("uplink ")), "")

    def announced():
        return [each["seq"] for each in service.events() if each.get("announced", True)]

    def has_all():
        return sorted(set(office.numbers())) == announced()

    broker = office = None
    try:
        run("systemctl", "enable", "--now", UNIT)
        poll("it says that there is no broker", lambda: "no-network" in line())
        service.drive_on(receiver, len(drive.epochs) // 2)
        checks.check(service.events(), "there are events that wait")
        broker = Broker(container, work)
        office = Office(container)
        # Otherwise it may wait for as long as it has waited before.
        run("systemctl", "restart", UNIT)
        poll("the events arrive", has_all)
        poll("they are acknowledged", lambda: "nothing waits" in line())
        checks.check(True, "what waited has arrived, and is acknowledged")
        first = len(office.events)
        pid = container.pid(container.out("systemctl", "show", "--value", "-p", "MainPID", UNIT))
        lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        sizes = {each.split(":")[0]: each.split()[1] for each in lines[1:]}
        checks.note(f"it has {sizes['Pss']} kB (PSS), {sizes['Private_Dirty']} kB of them its own")
        run("systemctl", "kill", "--signal=KILL", UNIT)
        service.drive_on(receiver, len(drive.epochs))
        poll("the events after a kill arrive", has_all)
        checks.check(len(office.events) == len(announced()) > first,
                     "each event has arrived, and once", office.numbers())
        poll("they are acknowledged", lambda: "nothing waits" in line())
        checks.check(not any("lat" in each for each in office.events),
                     "positions stay in the vehicle")
        changes_nothing(checks, container, UNIT)
        hears_of_the_daemon(checks, container, office)
        run("systemctl", "stop", UNIT)
        poll("the office is told", lambda: office.status == {"v": 1, "online": False})
        checks.check(True, "the status that the broker keeps says that the box is offline")
        receiver.unplug()
    finally:
        if office:
            office.close()
        if broker:
            broker.stop()
        run("systemctl", "disable", "--now", UNIT, check=False)
        run("systemctl", "reset-failed", check=False)
        run("rm", "-f", "/etc/geofenced/uplink.d/fleet.conf")
        run("busctl", "call", "org.geofenced.Geofence1", "/org/geofenced/Geofence1",
            "org.geofenced.Geofence1.Manager", "UnregisterConsumer", "s", NAME, check=False)
