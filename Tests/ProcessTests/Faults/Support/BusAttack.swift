import SystemTestKit

/// Programs that send what no D-Bus library does: raw, large, many and malformed messages, and
/// never read the answers.
enum BusAttack: String, CaseIterable {
    /// 16 times `ApplyFences` of 7.6 MB at once.
    case apply
    /// Subscriptions with filters of 15 MB.
    case filters
    /// Every query, from eight programs that do not read.
    case unread
    /// 200 connections.
    case many
    /// Wrong signatures, deep variants, 30 MB in a text, long paths, signals and replies.
    case raw

    /// Runs for this many seconds, as that user without groups; nil is our own.
    func start(_ address: String, for seconds: Int, as user: Int?) -> Subprocess {
        let become =
            user.map { ["setpriv", "--reuid", "\($0)", "--regid", "\($0)", "--clear-groups"] } ?? []
        return Subprocess(
            become + ["/usr/bin/python3", "-u", "-c", Self.script, address, rawValue, "\(seconds)"])
    }

    private static let script = #"""
        import os, socket, struct, sys, threading, time
        address, what, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
        NAME, PATH = b"org.geofenced.Geofence1", b"/org/geofenced/Geofence1"
        MANAGER, DBUS = NAME + b".Manager", b"org.freedesktop.DBus"
        PROPERTIES = DBUS + b".Properties"
        serial = 0
        def pad(data, to): return data + bytes(-len(data) % to)
        def string(text): return struct.pack("<I", len(text)) + text + bytes(1)
        def signature(text): return bytes([len(text)]) + text + bytes(1)
        def message(kind, member, sig=b"", body=b"", path=PATH, interface=MANAGER, to=NAME, flags=0,
                    reply=None, error=None):
            global serial
            serial += 1
            fields = b""
            for code, sign, value in (
                    (1, b"o", path and string(path)), (2, b"s", interface and string(interface)),
                    (3, b"s", member and string(member)), (4, b"s", error and string(error)),
                    (5, b"u", reply and struct.pack("<I", reply)), (6, b"s", string(to)),
                    (8, b"g", sig and signature(sig))):
                if value:
                    fields = pad(fields, 8) + bytes([code]) + signature(sign)
                    fields = (fields if sign == b"g" else pad(fields, 4)) + value
            head = struct.pack("<BBBBIII", 108, kind, flags, 1, len(body), serial, len(fields))
            return pad(head + fields, 8) + body
        def call(member, sig=b"", body=b"", **more): return message(1, member, sig, body, **more)
        class Bus:
            def __init__(self):
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.connect(address.removeprefix("unix:path="))
                user = str(os.getuid()).encode().hex().encode()
                self.socket.sendall(bytes(1) + b"AUTH EXTERNAL " + user + bytes([13, 10]))
                self.socket.recv(1000)
                self.socket.sendall(b"BEGIN" + bytes([13, 10]))
                self.socket.sendall(call(b"Hello", path=b"/org/freedesktop/DBus", interface=DBUS, to=DBUS))
        def array(align, elements):
            data = bytearray()
            for element in elements: data += bytes(-len(data) % align) + element
            data = bytes(data)
            return struct.pack("<I", len(data)) + bytes(4 if align == 8 else 0) + data
        def strings(items): return array(4, [string(item) for item in items])
        def option(key, sig, value, align):
            return pad(string(key) + signature(sig), align) + value
        def number(key, value):
            data = string(key) + signature(b"d")
            return pad(data, 8) + struct.pack("<d", value)
        def fence(n):
            data = pad(string(b"f%07d" % n), 4)
            entries = b""
            for key, value in ((b"latitude", 10), (b"longitude", n * 1e-5), (b"radius", 50)):
                entries = pad(entries, 8) + number(key, value)
            return pad(data + struct.pack("<I", len(entries)), 8) + entries
        def batch(count):
            body = pad(array(8, [fence(n) for n in range(count)]), 4) + struct.pack("<I", 0)
            return pad(body, 8) + struct.pack("<Q", 0)
        def once(make):
            made = []
            return lambda: made[0] if made else made.append(make()) or made[0]
        big = once(lambda: call(b"ApplyFences", b"a(sa{sv})ast", batch(60000)))
        filters = once(lambda: call(b"CreateSubscription", b"a{sv}", array(8, [
            pad(string(b"ids") + signature(b"as"), 4) + strings([b"x" * 15000] * 1000)])))
        empty = array(8, [])
        unread = [
            lambda: call(b"ListFences", b"a{sv}uu", empty + struct.pack("<II", 0, 0)),
            lambda: call(b"ReadEvents", b"tu", struct.pack("<QI", 0, 0)),
            lambda: call(b"GetFence", b"s", string(b"x" * 1000000)),
            lambda: call(b"Introspect", interface=DBUS + b".Introspectable"),
            lambda: call(b"GetAll", b"s", string(MANAGER), interface=PROPERTIES),
            lambda: call(b"EvaluateAt", b"ddd", struct.pack("<ddd", 48, 11, 5)), lambda: call(b"Nothing")]
        raw = [
            lambda: call(b"GetFence", b"v", (bytes([1]) + b"v" + bytes(1)) * 60 + bytes([1, 121, 0, 7])),
            once(lambda: call(b"GetFence", b"s", string(b"y" * 30000000))),
            lambda: call(b"ApplyFences", b"ay", struct.pack("<I", 1000000) + bytes(1000000)),
            once(lambda: call(b"GetStates", b"as", strings([b""] * 100000))),
            lambda: call(b"GetAll", b"s", string(b"z" * 1000000), interface=PROPERTIES),
            lambda: call(b"GetWindow", path=b"/a" * 32000),
            lambda: call(b"Ping", path=b"/a" * 32000, interface=DBUS + b".Peer"),
            lambda: message(4, b"NameOwnerChanged", b"sss",
                pad(string(b":1.1"), 4) + pad(string(b":1.1"), 4) + string(b""),
                path=b"/org/freedesktop/DBus", interface=DBUS),
            lambda: message(2, None, b"s", string(b"r" * 1000000), path=None, interface=None, reply=7),
            lambda: message(3, None, b"s", string(b"e" * 1000000), path=None, interface=None, reply=9,
                error=b"org.x.E"),
            lambda: call(b"ReadEvents", b"tu", struct.pack("<QI", 0, 0), flags=1)]
        makers, connections, reads = {
            "apply": ([big], 16, False), "filters": ([filters], 4, False), "unread": (unread, 8, False),
            "many": (unread[3:5], 200, False), "raw": (raw, 3, True)}[what]
        buses = [Bus() for _ in range(connections)]
        for make in makers: make()
        print("ready", flush=True)
        def attack(bus, count):
            while True:
                count += 1
                try:
                    bus.socket.sendall(makers[count % len(makers)]())
                    while reads: bus.socket.recv(1 << 16, socket.MSG_DONTWAIT)
                except BlockingIOError: pass
                except OSError:
                    try: bus = Bus()
                    except OSError: pass
        for number, bus in enumerate(buses):
            threading.Thread(target=attack, args=(bus, number), daemon=True).start()
        time.sleep(seconds)
        os._exit(0)
        """#
}
