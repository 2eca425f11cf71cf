"""Attacks on the machine in the middle of a drive: over the bus, through gpsd's port, with fences.
The installed unit with the shipped settings, except for the drive's fast motion. Through each
attack an event is announced within half a second of its fix, memory stays below 64 MB, the service
is not restarted, and the events are those of the drive without it."""

import json
import multiprocessing
import os
import pathlib
import random
import socket
import struct
import threading
import time

import rawbus
from container import CLONE_NEWNET, LIBC, poll
from rawbus import Caller, NAME, PATH, pad, string, strings
from service import essence

MEGABYTES = 64
DELAY = 0.5
# An epoch every 40 ms: the drive takes a quarter of a minute, and so does an attack.
PACE = 0.04
SECONDS = 12


class Attack:
    """Another user's program beside the drive: `body(bus, uid, until)` in `processes` separate
    processes."""

    def __init__(self, container, user, body, processes=1):
        bus = f"/proc/{container.leader}/root/run/dbus/system_bus_socket"
        uid = 0 if user == "root" else int(container.out("id", "-u", user))
        end = time.monotonic() + SECONDS
        self.errors = multiprocessing.Queue()
        self.taken = multiprocessing.Value("q", 0)
        self.children = [
            multiprocessing.Process(target=self._run, args=(body, bus, uid, end, number))
            for number in range(processes)]
        for child in self.children:
            child.start()

    def _run(self, body, bus, uid, end, number):
        random.seed(number)
        while time.monotonic() < end:
            try:
                body(bus, uid, end)
            except (OSError, TimeoutError, RuntimeError):
                # The bus has disconnected us, as it may; we reconnect.
                time.sleep(0.05)
            except Exception as error:  # A mistake of the attack's own must not look like a defence.
                self.errors.put(f"{type(error).__name__}: {error}")
                return
        with self.taken.get_lock():
            self.taken.value += Caller.taken

    def end(self):
        for child in self.children:
            child.join(SECONDS + 30)
            if child.is_alive():
                child.kill()
        mistakes = [self.errors.get() for _ in range(self.errors.qsize())]
        return mistakes if self.taken.value > 100_000 else [*mistakes, "the bus took nothing of it"]


def peak(service):
    """The peak memory of the service, in MB."""
    status = pathlib.Path(f"/proc/{service.main_pid()}/status").read_text()
    return int(next(l for l in status.splitlines() if l.startswith("VmHWM")).split()[1]) / 1024


def under(checks, service, drive, what, start, pace=PACE):
    """The drive while `start()`, which returns an object with an `end`, is active."""
    receiver = service.begin(drive)
    cursor = service.cursor()
    pid = service.main_pid()
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")
    attack = start()
    try:
        for epoch in drive.epochs[receiver.sent:]:
            receiver.line.write(epoch)
            receiver.attend(pace)
        receiver.sent = len(drive.epochs)
    finally:
        mistakes = attack.end()
    checks.check(not mistakes, f"{what}: the attack was carried out", *mistakes)
    service.catches_up(receiver)
    checks.check(service.main_pid() == pid, f"{what}: the service lives on")
    checks.check(peak(service) < MEGABYTES, f"{what}: memory below {MEGABYTES} MB", peak(service))
    # Other fences come and go; only those of the drive are compared.
    ours = {fence_id(f) for f in json.loads(drive.fences.read_text())["features"]}

    def of_drive(events):
        return [essence(e)[1:] for e in events if e.get("fence") in ours or not e.get("fence")]

    checks.same(of_drive(service.events()), of_drive(service.replay(receiver)),
                f"{what}: the events of the drive without it")
    late = delays(service, receiver, cursor)
    checks.check(late and max(late) < DELAY,
                 f"{what}: announced within {DELAY} s of the fix", sorted(late)[-5:])
    checks.note(f"{what}: {max(late, default=0):.3f} s at the latest, {peak(service):.0f} MB")
    receiver.unplug()


def fence_id(feature):
    return str(feature.get("id", feature["properties"].get("id")))


def delays(service, receiver, cursor):
    """From when another client of gpsd received the proving fix to the entry in the journal, s."""
    service.container.run("journalctl", "--sync")
    found = []
    for entry in service.journalled(cursor):
        heard = receiver.heard.get(entry.get("GEOFENCE_FIX_TIME"))
        # The journal's time of sending, not the time at which journald read it.
        stamp = int(entry.get("_SOURCE_REALTIME_TIMESTAMP", entry["__REALTIME_TIMESTAMP"]))
        if heard:
            found.append(stamp / 1e6 - heard)
    return found


# --- By the bus

def fence_batch(size):
    """The arguments of ApplyFences: that many bytes of circles with long titles, no removals, no flags."""
    body, number = bytearray(), 0
    while len(body) < size:
        entries = b""
        for key, value in (("latitude", 10.0), ("longitude", 20.0), ("radius", 100.0)):
            entries = pad(entries, 8) + string(key)
            head = entries + b"\1d\0"
            entries = pad(head, 8) + struct.pack("<d", value + number * 1e-6)
        entries = pad(entries, 8) + string("title")
        entries = pad(entries + b"\1s\0", 4) + string("x" * 4000)
        body += bytes(-len(body) % 8) + string(f"attack-{number}")
        body += bytes(-len(body) % 4) + struct.pack("<I", len(entries))
        body += bytes(-len(body) % 8) + entries
        number += 1
    array = pad(struct.pack("<I", len(body)), 8) + bytes(body)
    return pad(pad(array, 4) + strings([]), 8) + struct.pack("<Q", 0)


def big_batches(bus, uid, until):
    """ApplyFences of 7.6 MB, without reading the answer."""
    caller = Caller(bus, uid)
    body = fence_batch(7_600_000)
    fields = [(1, "o", PATH), (2, "s", rawbus.MANAGER), (3, "s", "ApplyFences"), (6, "s", NAME),
              (8, "g", "a(sa{sv})ast")]
    while time.monotonic() < until:
        caller.serial += 1
        if not caller.send_some(rawbus.message(rawbus.CALL, caller.serial, fields, body), 5):
            return


def big_filters(bus, uid, until):
    """Subscriptions with filters of 15 MB."""
    caller = Caller(bus, uid)
    ids = strings(["x" * 15_000 + str(i) for i in range(999)])
    entries = pad(string("ids") + b"\2as\0", 4) + ids
    body = pad(struct.pack("<I", len(entries)), 8) + entries
    fields = [(1, "o", PATH), (2, "s", rawbus.MANAGER), (3, "s", "CreateSubscription"),
              (6, "s", NAME), (8, "g", "a{sv}")]
    while time.monotonic() < until:
        caller.serial += 1
        if not caller.send_some(rawbus.message(rawbus.CALL, caller.serial, fields, body), 5):
            return


# No options: an array of {sv} without an element, whose first would begin at a multiple of eight.
NO_OPTIONS = struct.pack("<I", 0) + b"\0" * 4
LISTING = NO_OPTIONS + struct.pack("<II", 0, 1000)
PROPERTIES = "org.freedesktop.DBus.Properties"


def unread(bus, uid, until):
    """Every query, as fast as the bus accepts it, without reading an answer."""
    caller = Caller(bus, uid)
    questions = [
        ("ListFences", "a{sv}uu", LISTING, {}),
        ("ReadEvents", "tu", struct.pack("<QI", 0, 1000), {}),
        ("GetStates", "as", strings([]), {}),
        ("GetAll", "s", string(rawbus.MANAGER), {"interface": PROPERTIES}),
        ("Introspect", "", b"", {"interface": "org.freedesktop.DBus.Introspectable"}),
        ("GetFence", "s", string("y" * 60_000), {}),
        ("EvaluateAt", "ddd", struct.pack("<ddd", 39.4, -120.1, 5), {}),
        ("GetPosition", "", b"", {}),
    ]
    while time.monotonic() < until:
        data = b""
        for member, signature, body, options in random.choices(questions, k=50):
            caller.serial += 1
            interface = options.get("interface", rawbus.MANAGER)
            fields = [(1, "o", PATH), (2, "s", interface), (3, "s", member), (6, "s", NAME)]
            if signature:
                fields.append((8, "g", signature))
            data += rawbus.message(rawbus.CALL, caller.serial, fields, body)
        if not caller.send_some(data, 2):
            return


def nonsense(bus, uid, until):
    """Malformed messages: other signatures, unknown members, unexpected answers, signals with a
    false origin."""
    caller = Caller(bus, uid)
    members = ["ApplyFences", "ListFences", "ImportFences", "RegisterConsumer", "AckEvents",
               "CreateSubscription", "EvaluateAt", "ReadEvents", "Nothing", "Reload"]
    deep = b"".join(b"\1v\0" for _ in range(40)) + b"\1y\0\7"
    bodies = [("", b""), ("s", string("z" * 1_000_000)), ("v", deep), ("as", strings(["q"] * 50_000)),
              ("ay", struct.pack("<I", 900_000) + b"\1" * 900_000), ("ddd", struct.pack(
                  "<ddd", float("nan"), float("inf"), -1.0)), ("tu", b"\xff" * 12)]
    while time.monotonic() < until:
        signature, body = random.choice(bodies)
        kind = random.choice([rawbus.CALL] * 6 + [rawbus.RETURN, rawbus.ERROR, rawbus.SIGNAL])
        caller.serial += 1
        fields = [(1, "o", random.choice([PATH, "/", PATH + "/subscription/1"])),
                  (3, "s", random.choice(members)), (6, "s", NAME)]
        if kind == rawbus.CALL:
            fields.insert(1, (2, "s", random.choice([rawbus.MANAGER, PROPERTIES])))
        elif kind == rawbus.SIGNAL:
            fields = [(1, "o", "/org/freedesktop/PolicyKit1/Authority"),
                      (2, "s", "org.freedesktop.PolicyKit1.Authority"), (3, "s", "Changed"),
                      (6, "s", NAME)]
        else:
            fields += [(5, "u", random.randrange(1, 1000)), (4, "s", "org.example.Error.No")]
        if signature:
            fields.append((8, "g", signature))
        if not caller.send_some(rawbus.message(kind, caller.serial, fields, body), 2):
            return


def crowd(bus, uid, until):
    """As many connections as a user may have, each with subscriptions and queries."""
    callers = []
    try:
        while time.monotonic() < until:
            try:
                callers.append(Caller(bus, uid))
            except (OSError, RuntimeError):
                time.sleep(0.2)
            for caller in random.sample(callers, min(len(callers), 5)):
                caller.call("CreateSubscription", "a{sv}", NO_OPTIONS)
                caller.call("GetAll", "s", string(rawbus.MANAGER), interface=PROPERTIES)
    finally:
        for caller in callers:
            caller.close()


def at_the_bus(checks, service, drive):
    """Attacked over the bus, by an unauthorized user and by a member of the group"""
    container = service.container
    for user, groups in (("stranger", []), ("member", ["geofenced"])):
        if container.run("id", user, check=False).returncode != 0:
            container.run("useradd", "--create-home", user)
            for group in groups:
                container.run("adduser", user, group)
    for user in ("stranger", "member"):
        for body, processes in ((big_batches, 16), (big_filters, 8), (unread, 8), (nonsense, 4),
                                (crowd, 1)):
            what = f"{user}, {body.__name__.replace('_', ' ')}"
            under(checks, service, drive, what,
                  lambda: Attack(container, user, body, processes))


# --- By gpsd's port

class FakeGpsd:
    """Another server at port 2947 of the machine: a list of what is sent on each connection."""

    def __init__(self, container, script):
        with open("/proc/self/ns/net") as ours, open(f"/proc/{container.leader}/ns/net") as theirs:
            LIBC.setns(theirs.fileno(), CLONE_NEWNET)
            try:
                self.socket = socket.socket()
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                self.socket.bind(("127.0.0.1", 2947))
                self.socket.listen(16)
            finally:
                LIBC.setns(ours.fileno(), CLONE_NEWNET)
        self.connections = 0
        self.script = script
        self.over = False
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self):
        while not self.over:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            self.connections += 1
            client.settimeout(5)
            try:
                self.script(client, self.connections)
            except OSError:
                pass
            client.close()

    def end(self):
        self.over = True
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join(10)


VERSION = b'{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n'


def error_and_more(client, number):
    """The ERROR that empties the buffer during iteration; then more than is left of the buffer."""
    if number % 2:
        client.sendall(b'{"class":"ERROR","message":"' + b"x" * 20_000 + b'"}\n')
    else:
        client.sendall(b"y" * 20_100)
        time.sleep(0.2)


def versions(client, number):
    """Another version with each line, with a terminal's escapes in it."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        for release in ("3.22", "\\u001b[2J\\u0007evil", "9" * 3000):
            client.sendall(VERSION.replace(b'"release":"3.22"', b'"release":"%s"'
                                           % release.encode()) * 20)


def devices(client, number):
    """Receivers that come and go a thousand times a second."""
    end = time.monotonic() + 10
    client.sendall(VERSION)
    while time.monotonic() < end:
        for active in (0, 1):
            client.sendall(b'{"class":"DEVICE","path":"/dev/x%d","activated":%d}\n'
                           % (random.randrange(5), active) * 50)


def halves(client, number):
    """Half a line on each of many connections."""
    line = b'{"class":"TPV","mode":3,"time":"2026-01-01T00:00:00Z","lat":1,"lon":1}\n'
    client.sendall(VERSION + line[:random.randrange(len(line))])


def noise(client, number):
    """Bytes, long lines, no lines at all."""
    end = time.monotonic() + 8
    while time.monotonic() < end:
        client.sendall(os.urandom(random.choice([1, 100, 32_767, 32_768, 32_769])))
        client.sendall(random.choice([b"\n", b"", b"{" * 40_000, b'{"class":"TPV"', b"\0" * 999]))


def at_gpsds_port(checks, service, drive):
    """Attacked by another server at gpsd's port"""
    container = service.container
    service.begin_quietly(drive)
    container.run("systemctl", "stop", "gpsd.socket", "gpsd.service")
    try:
        for script in (error_and_more, versions, devices, halves, noise):
            what = script.__name__.replace("_", " ")
            pid, cursor = service.main_pid(), service.cursor()
            pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")
            before = service.property("LastSeq")
            server = FakeGpsd(container, script)
            container.run("systemctl", "reload", "geofenced.service")
            poll("it connects", lambda: server.connections > 0, 40)
            time.sleep(12)
            server.end()
            checks.check(service.main_pid() == pid, f"gpsd, {what}: the service lives on")
            checks.check(peak(service) < MEGABYTES, f"gpsd, {what}: memory", peak(service))
            told = [e for e in service.events() if e["seq"] > before and e.get("fence")]
            checks.check(not told, f"gpsd, {what}: no crossing is invented", told)
            container.run("journalctl", "--sync")
            entries = service.journal("SYSLOG_IDENTIFIER=geofenced", since=cursor)
            checks.check(len(entries) < 100, f"gpsd, {what}: few lines in the log", len(entries))
            ugly = [e for e in entries if any(ord(c) < 32 for c in str(e.get("MESSAGE", "")))]
            checks.check(not ugly, f"gpsd, {what}: no control characters in them", ugly[:2])
    finally:
        container.run("systemctl", "start", "gpsd.socket")


# --- By fences

def star(vertices, holes, latitude=10.0, longitude=20.0):
    """A polygon with many vertices and many small holes, all valid."""
    import math
    shell = [[longitude + 2 * math.cos(2 * math.pi * i / vertices),
              latitude + 2 * math.sin(2 * math.pi * i / vertices)] for i in range(vertices)]
    rings = [shell + shell[:1]]
    side = max(1, math.isqrt(holes))
    for h in range(holes):
        x, y = longitude - 1 + 2 * (h % side) / side, latitude - 1 + 2 * (h // side) / side
        d = 0.4 / side
        rings.append([[x, y], [x, y + d], [x + d, y + d], [x + d, y], [x, y]])
    return {"type": "Polygon", "coordinates": rings}


def crumbs(parts):
    """A MultiPolygon of many small squares."""
    squares = []
    for number in range(parts):
        x, y = 20 + (number % 150) * 0.01, 10 + (number // 150) * 0.01
        squares.append([[[x, y], [x + .005, y], [x + .005, y + .005], [x, y + .005], [x, y]]])
    return {"type": "MultiPolygon", "coordinates": squares}


def odd_fences():
    geometries = {
        "closed-modulo": {"type": "Polygon", "coordinates": [
            [[-180, -60], [-90, -60], [0, -60], [90, -60], [180, -60]]]},
        "sliver": {"type": "Polygon", "coordinates": [
            [[10, 10], [10.3, 10.1234567], [10.1, 10.0411523], [10, 10]]]},
        "star": star(90_000, 4_000),
        "beyond": star(100_000, 4_000),
        "holes": star(400, 30_000),
        "crumbs": crumbs(9_000),
        "crumbs-beyond": crumbs(20_000),
        "long-line": {"type": "LineString", "coordinates": [
            [20 + i * 1e-5, 10 + (i % 2) * 1e-5] for i in range(200_000)]},
        "comb": {"type": "Polygon", "coordinates": [
            [[20 + (i // 2) * 1e-5, 10 + (1 if i % 4 in (1, 2) else 0)] for i in range(40_000)]
            + [[20.2, 9], [20, 9], [20, 10]]]},
        "whole-earth": {"type": "Polygon", "coordinates": [
            [[-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90]]]},
    }
    for name, geometry in geometries.items():
        properties = {"width": 10} if geometry["type"] == "LineString" else {}
        yield name, {"type": "FeatureCollection", "features": [
            {"type": "Feature", "id": f"odd-{name}", "properties": properties,
             "geometry": geometry}]}
    yield "metadata", {"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": "odd-metadata", "properties": {
            "radius": 5, "blob": "x" * 100_000_000},
         "geometry": {"type": "Point", "coordinates": [20, 10]}}]}


class Imports:
    """Imports of odd fences, one after the other, repeatedly; each is accepted or refused."""

    def __init__(self, container, files):
        self.container, self.files, self.over = container, files, False
        self.mistakes = []
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        for name in self.files:
            done = self.container.run(
                "geofencectl", "import", f"/root/odd/{name}.geojson", check=False, timeout=300)
            if done.returncode not in (0, 1):
                self.mistakes.append(f"{name}: exit {done.returncode}: {done.stderr}")
            if self.over:
                return

    def end(self):
        self.over = True
        self.thread.join(320)
        return self.mistakes


def by_fences(checks, service, drive):
    """Attacked by odd fences: imported, and in fences.d"""
    container = service.container
    directory = container.path("/root/odd")
    directory.mkdir(exist_ok=True)
    names = []
    for name, collection in odd_fences():
        (directory / f"{name}.geojson").write_text(json.dumps(collection))
        names.append(name)
    under(checks, service, drive, "imports of odd fences",
          lambda: Imports(container, names))
    # Accepted fences are stored, whole, and affect no others.
    listed = [json.loads(l) for l in container.out("geofencectl", "--json", "list").splitlines()]
    ids = {f["id"] for f in listed if "id" in f}
    checks.check("odd-crumbs" in ids or "odd-star" in ids, "some were accepted", sorted(ids)[:20])
    container.run("systemctl", "restart", "geofenced.service")
    poll("the service is up", service.is_up)
    for fence in sorted(i for i in ids if i.startswith("odd-")):
        shown = container.run("geofencectl", "--json", "show", fence, check=False)
        checks.check(shown.returncode == 0, f"{fence} can be shown", shown.stderr)
    aside = container.out("sh", "-c", "ls /var/lib/geofenced | grep -c -e damaged -e bad || true")
    checks.check(aside == "0", "nothing was set aside",
                 container.out("ls", "/var/lib/geofenced"))
    # And as the administrator's files.
    for name in names:
        container.run("cp", f"/root/odd/{name}.geojson", "/etc/geofenced/fences.d/")
    container.run("mkfifo", "/etc/geofenced/fences.d/fifo.geojson")
    container.run("ln", "-sf", "/dev/zero", "/etc/geofenced/fences.d/zero.geojson")
    container.run("truncate", "-s", "1T", "/etc/geofenced/fences.d/sparse.geojson")
    before = service.cursor()
    container.run("systemctl", "restart", "geofenced.service")
    poll("the service is up", service.is_up, 120)
    checks.check(peak(service) < MEGABYTES, "odd files in fences.d: memory", peak(service))
    for name in ("fifo.geojson", "zero.geojson", "sparse.geojson", "metadata.geojson"):
        checks.check(service.said(name, before), f"{name} is named")
    container.run("sh", "-c", "rm -f /etc/geofenced/fences.d/*")
