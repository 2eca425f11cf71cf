"""Attacks over the bus, by an unauthorized user and by a member of the group: see attacks."""

import json
import multiprocessing
import random
import struct
import time

import rawbus
from attacks import SECONDS, under
from rawbus import Caller, NAME, PATH, pad, string, strings


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
        ("GetMetafence", "", b"", {}),
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


# Where hazards are that no vehicle of a drive comes to, so that its events are its own.
CROWD = (48.0, 11.0)
# Metres in a degree, near enough.
NORTH, EAST = 111_200.0, 74_600.0
# Positions in a call that needs no authorization before.
PORTION = 4_000


def crowded(number, ends, sections):
    """A bridge as many ways lead to as the daemon takes, all of them along one road."""
    def line(*metres):
        return [[CROWD[1] + m / EAST, CROWD[0]] for m in metres]
    return {"type": "Feature", "id": f"crowd-{number}",
            "geometry": {"type": "MultiLineString", "coordinates": [line(-1_000, 0)] * ends},
            "properties": {"approach": "corridor", "limits": {"height_m": 3.0, "basis": "signed"},
                           "legs": [{"end_m": 0, "chance": 0.5, "next": None}] * ends,
                           "section": [line(0, 20)] * sections}}


def portion(line, first, more):
    """The arguments of a SetRoute."""
    body = b"".join(struct.pack("<dd", *place) for place in line)
    data = pad(struct.pack("<I", len(body)), 8) + body
    entries = string("first")
    entries = pad(entries + b"\1u\0", 4) + struct.pack("<I", first)
    entries = pad(entries, 8) + string("more")
    entries = pad(entries + b"\1b\0", 4) + struct.pack("<I", int(more))
    data = pad(data, 4) + struct.pack("<I", len(entries))
    return pad(data, 8) + entries


def set_route(caller, line):
    """In portions; the name and the text of the error of the last answer, and how long that took, s."""
    for first in range(0, len(line), PORTION):
        part = line[first:first + PORTION]
        begin = time.monotonic()
        error, body = caller.answer(caller.call(
            "SetRoute", "a(dd)a{sv}", portion(part, first, first + PORTION < len(line))))
        if error:
            break
    return error, body if error else b"", time.monotonic() - begin


def rounds(passes):
    """Through the bridge of the crowd, and back beside it."""
    corners = [(0.0, -300.0), (0.0, 100.0), (200.0, 100.0), (200.0, -300.0)]
    return [(CROWD[0] + n / NORTH, CROWD[1] + e / EAST) for n, e in corners] * passes


def routes(bus, uid, until):
    """Routes that run over crowded hazards as often as may be, or less often; and such as are begun and
    never ended."""
    caller, refusals = Caller(bus, uid), set()
    while time.monotonic() < until:
        choice = random.randrange(4)
        if choice == 0:
            line = rounds(25_000)
        elif choice == 1:
            line = rounds(random.randrange(1, 2_000))
        elif choice == 2:
            line = [(CROWD[0] + random.uniform(-4e3, 4e3) / NORTH,
                     CROWD[1] + random.uniform(-4e3, 4e3) / EAST) for _ in range(100_000)]
        else:
            other = Caller(bus, uid)
            other.call("SetRoute", "a(dd)a{sv}", portion(rounds(1_000), 0, True))
            other.call("SetRoute", "a(dd)a{sv}", portion(rounds(1_000), 4_000, False))
            other.close()
            continue
        error, text, seconds = set_route(caller, line)
        if seconds > 10:
            raise ValueError(f"SetRoute was answered after {seconds:.1f} s")
        if choice == 0:
            if not error:
                raise ValueError("a route over the crowd as often as may be was set")
            refusals.add(text)
    if not any(b"past hazards more often" in r or b"not authorized" in r for r in refusals):
        raise ValueError(f"no route was refused for what it leads past: {refusals}")


def a_crowd(container):
    """Hazards along one road, where routes() goes."""
    container.path("/tmp/crowd.geojson").write_text(json.dumps({
        "type": "FeatureCollection",
        "features": [crowded(0, 128, 128)] + [crowded(n, 2, 2) for n in range(1, 400)]}))
    container.run("geofencectl", "import", "/tmp/crowd.geojson", "--origin", "crowd/bus")


def at_the_bus(checks, service, drive):
    """Attacked over the bus, by an unauthorized user and by a member of the group"""
    container = service.container
    for user, groups in (("stranger", []), ("member", ["geofenced"])):
        if container.run("id", user, check=False).returncode != 0:
            container.run("useradd", "--create-home", user)
            for group in groups:
                container.run("gpasswd", "-a", user, group)
    for user in ("stranger", "member"):
        for body, processes in ((big_batches, 16), (big_filters, 8), (unread, 8), (nonsense, 4),
                                (crowd, 1), (routes, 2)):
            what = f"{user}, {body.__name__.replace('_', ' ')}"

            def start():
                if body is routes:
                    a_crowd(container)
                return Attack(container, user, body, processes)

            under(checks, service, drive, what, start)
