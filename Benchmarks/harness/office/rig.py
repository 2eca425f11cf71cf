"""The programs of an office, and a client that publishes for many boxes."""

import contextlib
import datetime
import json
import os
import pathlib
import resource
import socket
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests/Drives"))

import fleet  # noqa: E402

PROGRAMS = pathlib.Path(os.environ.get("PROGRAMS", ROOT / ".build/release"))
# The limit of events that are sent and not acknowledged: less than an ingest holds.
UNDER_WAY = 20_000
# An event as geofenced-uplink sends it, 400 bytes with its names and numbers.
EVENT = ('{"v":2,"log":"%032x","prev":%d,"event":{"seq":%d,"kind":"%s","fence":"wh/WDF%02d",'
         '"title":"SAP SE WDF01","time":"%s","fix_time":"%s","presence":"outside",'
         '"inferred":false,"reason":"certain","distance_m":80.0,"error_m":34.2,"stay_s":1512.4,'
         '"evidence":{"distance_m":80.0,"error_m":34.2,"inradius_m":100.0,"buffer_m":20.0}}}')


@contextlib.contextmanager
def office(*database, tls=False):
    """A fleet with a database and a broker, set up; its directory is removed afterwards. With TLS
    it has `credentials` for programs that should trust the broker."""
    with contextlib.ExitStack() as stack:
        work = stack.enter_context(tempfile.TemporaryDirectory(prefix="geofenced-bench."))
        ours = fleet.Fleet(work, stack, PROGRAMS)
        # As on a small server, so that the checkpointer does not dominate.
        ours.database("shared_buffers=256MB", "max_wal_size=4GB", *database)
        if tls:
            ours.credentials = fleet.certificate(ours.work)
            ours.broker(*fleet.with_certificate(ours.work))
        else:
            ours.broker()
        ours.set_up()
        yield ours


def backend(ours):
    """The process of the database that serves the ingest."""
    sql = "SELECT pid FROM pg_stat_activity WHERE application_name = 'geofenced-ingest'"
    return int(fleet.wait_for("connection of the ingest", lambda: ours.value(sql)))


def allow_descriptors():
    """Raises the limit of descriptors, also for child processes; returns it."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def text(string):
    return len(string).to_bytes(2, "big") + string.encode()


def packet(kind, body):
    size, rest = b"", len(body)
    while rest > 127 or not size:
        size, rest = size + bytes([rest % 128 | (128 if rest > 127 else 0)]), rest // 128
    return bytes([kind]) + size + (bytes([rest]) if rest else b"") + body


class Voice:
    """Publishes for many boxes over one connection (MQTT 3.1.1), and counts the events that the
    office acknowledges."""

    def __init__(self, port):
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Clean session, no keep-alive.
        self._socket.sendall(packet(0x10, text("MQTT") + b"\x04\x02\0\0" + text("voice")))
        topic = text(f"gf/1/{fleet.TENANT}/+/down/ack")
        self._socket.sendall(packet(0x82, b"\0\1" + topic + b"\0"))
        self._input = self._socket.makefile("rb", buffering=1 << 20)
        self._changed = threading.Condition()
        self.acknowledged = 0
        self.sent = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        with contextlib.suppress(OSError, ValueError, IndexError):
            while head := self._input.read(1):
                size, shift = 0, 0
                while (byte := self._input.read(1)[0]) > 127:
                    size, shift = size | (byte & 127) << shift, shift + 7
                body = self._input.read(size | byte << shift)
                if head[0] >> 4 == 3:
                    content = json.loads(body[2 + int.from_bytes(body[:2], "big"):])
                    with self._changed:
                        self.acknowledged += sum(
                            last - first + 1 for first, last in content["ranges"])
                        self._changed.notify()

    def send(self, messages):
        """Sends messages, given as (events, packet), no faster than the office stores them; waits
        until all are acknowledged."""
        for events, message in messages:
            self._wait_for(self.sent + events - UNDER_WAY)
            self._socket.sendall(message)
            self.sent += events
        self._wait_for(self.sent)

    def say(self, messages):
        """Sends messages at once, and waits for nothing."""
        self._socket.sendall(b"".join(message for _, message in messages))
        self.sent += sum(events for events, _ in messages)

    def _wait_for(self, count):
        with self._changed:
            if not self._changed.wait_for(lambda: self.acknowledged >= count, 120):
                raise RuntimeError(f"{self.acknowledged} of {self.sent} events are acknowledged")

    def close(self):
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def messages(boxes, first, count, together):
    """For each of that many boxes the events from `first` on, `together` in a message, from the
    boxes in turn."""
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    made = []
    for begin in range(first, first + count, together):
        for box in range(boxes):
            events = [EVENT % (box + 1, seq - 1, seq, ("enter", "exit")[seq % 2], seq % 100,
                               now, now)
                      for seq in range(begin, min(begin + together, first + count))]
            payload = events[0] if len(events) == 1 else f"[{','.join(events)}]"
            topic = text(f"gf/1/{fleet.TENANT}/crowd{box}/event")
            made.append((len(events), packet(0x32, topic + b"\0\1" + payload.encode())))
    return made
