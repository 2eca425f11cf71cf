"""Raw messages on a system bus, as any user: messages that a library would not send.
https://dbus.freedesktop.org/doc/dbus-specification.html"""

import os
import select
import socket
import struct
import time

NAME, PATH = "org.geofenced.Geofence1", "/org/geofenced/Geofence1"
MANAGER = NAME + ".Manager"
CALL, RETURN, ERROR, SIGNAL = 1, 2, 3, 4


def pad(data, boundary):
    return data + b"\0" * (-len(data) % boundary)


def string(text):
    raw = text if isinstance(text, bytes) else text.encode()
    return struct.pack("<I", len(raw)) + raw + b"\0"


def strings(texts):
    """`as`, which begins at a multiple of four."""
    body = bytearray()
    for text in texts:
        body += bytes(-len(body) % 4) + string(text)
    return struct.pack("<I", len(body)) + bytes(body)


def header_field(code, signature, value):
    out = bytes([code, len(signature)]) + signature.encode() + b"\0"
    if signature == "g":
        return out + bytes([len(value)]) + value.encode() + b"\0"
    if signature == "u":
        return out + struct.pack("<I", value)
    return out + string(value)


def message(kind, serial, fields, body=b"", flags=0):
    """`fields`: (code, signature, value); buses refuse a body without a signature."""
    header = b""
    for code, signature, value in fields:
        header = pad(header, 8) + header_field(code, signature, value)
    start = struct.pack("<BBBBIII", ord("l"), kind, flags, 1, len(body), serial, len(header))
    return pad(start + header, 8) + body


class Caller:
    """One connection to the bus, as that user, or as the user of this process."""

    # Bytes that the bus has accepted from all callers of this process.
    taken = 0

    def __init__(self, path, uid=None):
        self.serial = 0
        self.data = b""
        if uid is None:
            uid = os.getuid()
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(path)
        else:
            self._connect(path, uid)
        self.socket.settimeout(30)
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(uid).encode().hex().encode() + b"\r\n")
        if not self.socket.recv(4096).startswith(b"OK"):
            raise RuntimeError("the bus does not let us in")
        self.socket.sendall(b"BEGIN\r\n")
        self.call("Hello", path="/org/freedesktop/DBus", interface="org.freedesktop.DBus",
                  to="org.freedesktop.DBus")
        self.answer(self.serial)

    def _connect(self, path, uid):
        # The bus gets the peer's user from the kernel.
        before = os.geteuid(), os.getegid(), os.getgroups()
        groups, gid = uid_groups(path, uid)
        # The path is accessible only to root; from its directory anybody may connect.
        os.chdir(os.path.dirname(path))
        try:
            os.setgroups(groups)
            os.setegid(gid)
            os.seteuid(uid)
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(os.path.basename(path))
        finally:
            os.seteuid(before[0])
            os.setegid(before[1])
            os.setgroups(before[2])

    def call(self, member, signature="", body=b"", *, path=PATH, interface=MANAGER, to=NAME,
             flags=0):
        """Sends a call; its serial number."""
        self.serial += 1
        fields = [(1, "o", path), (2, "s", interface), (3, "s", member), (6, "s", to)]
        if signature:
            fields.append((8, "g", signature))
        self.send(message(CALL, self.serial, fields, body, flags))
        return self.serial

    def send(self, data):
        self.socket.sendall(data)
        Caller.taken += len(data)

    def send_some(self, data, seconds):
        """Sends as much as is accepted in that time: the bus stops reading from a peer that does
        not read."""
        end = time.monotonic() + seconds
        view = memoryview(data)
        self.socket.setblocking(False)
        try:
            while view and time.monotonic() < end:
                if select.select([], [self.socket], [], 0.1)[1]:
                    try:
                        count = self.socket.send(view)
                        Caller.taken += count
                        view = view[count:]
                    except BlockingIOError:
                        pass
        except (BrokenPipeError, ConnectionResetError):
            return False
        finally:
            self.socket.settimeout(30)
        return not view

    def read(self):
        """The next message: kind, {field: value}, body."""
        head = self._take(16)
        kind = head[1]
        length, _serial, fields = struct.unpack("<III", head[4:16])
        raw = self._take(fields + -fields % 8)[:fields]
        return kind, parse(raw), self._take(length)

    def answer(self, serial, seconds=30):
        """The answer to that call: ("", body) or (name of the error, body)."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            kind, fields, body = self.read()
            if kind in (RETURN, ERROR) and fields.get(5) == serial:
                return fields.get(4, ""), body
        raise TimeoutError("no answer")

    def ask(self, *arguments, **options):
        return self.answer(self.call(*arguments, **options))

    def _take(self, count):
        while len(self.data) < count:
            more = self.socket.recv(1 << 16)
            if not more:
                raise ConnectionResetError("the bus has closed the connection")
            self.data += more
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def close(self):
        self.socket.close()


def parse(raw):
    """Header fields of basic types."""
    found, at = {}, 0
    while at < len(raw):
        at += -at % 8
        code, size = raw[at], raw[at + 1]
        signature = raw[at + 2:at + 2 + size]
        at += 3 + size
        if signature == b"g":
            size = raw[at]
            found[code] = raw[at + 1:at + 1 + size].decode()
            at += size + 2
        elif signature == b"u":
            at += -at % 4
            found[code] = struct.unpack_from("<I", raw, at)[0]
            at += 4
        else:
            at += -at % 4
            size = struct.unpack_from("<I", raw, at)[0]
            found[code] = raw[at + 4:at + 4 + size].decode()
            at += 5 + size
    return found


def uid_groups(path, uid):
    """The groups of a user, from the files beside that bus."""
    root = path.split("/run/")[0]
    lines = [l.split(":") for l in open(f"{root}/etc/passwd").read().splitlines()]
    name, gid = next((l[0], int(l[3])) for l in lines if int(l[2]) == uid)
    members = [l.split(":") for l in open(f"{root}/etc/group").read().splitlines()]
    return [gid] + [int(m[2]) for m in members if name in m[3].split(",")], gid
