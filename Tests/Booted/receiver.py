"""A receiver on a terminal line, in front of the stock gpsd, and a second client of that gpsd that
records its output: the oracle's source."""

import fcntl
import gzip
import json
import os
import pathlib
import select
import struct
import time
import tty

from container import poll

TRACES = pathlib.Path(__file__).resolve().parent.parent / "ReplayTests" / "Traces"
TIOCGPTN, TIOCSPTLCK = 0x80045430, 0x40045431
# An epoch every 10 ms, where it was one every other second: a drive takes four seconds.
PACE = 0.01


class Drive:
    """A recorded drive, the fences along it, and its reviewed events."""

    def __init__(self, name):
        self.fences = TRACES / f"{name}.geojson"
        self.epochs = []
        with gzip.open(TRACES / f"{name}.nmea.gz", "rt", newline="") as log:
            for line in log.read().split():
                if "RMC," in line or not self.epochs:
                    self.epochs.append(b"")
                self.epochs[-1] += line.encode() + b"\r\n"
        # An epoch without a date, before the first RMC, is not a fix.
        self.epochs = [epoch for epoch in self.epochs if b"RMC," in epoch]
        events = (TRACES / f"{name}.events.jsonl").read_text().splitlines()
        self.golden = [e for e in map(json.loads, events) if "kind" in e]


class RealTimeDrive:
    """A straight road driven now, an epoch a second, with a fence every 120 m: for what depends on
    the times of the shipped settings."""

    SPEED = 30.0
    SPACING = 120.0
    FENCES = 60
    LATITUDE, LONGITUDE = 48.0, 11.0
    # Metres in a degree of longitude there, near enough.
    DEGREE = 74_628.0

    def __init__(self, directory):
        self.fences = pathlib.Path(directory) / "road.geojson"
        self.fences.write_text(json.dumps({"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {"id": f"{number:02}", "radius": 40},
             "geometry": {"type": "Point", "coordinates": [
                 self.LONGITUDE + (number + 1) * self.SPACING / self.DEGREE, self.LATITUDE]}}
            for number in range(self.FENCES)]}))
        # The first epoch, which is sent before the vehicle moves.
        self.epochs = [self.epoch(0, time.time())]

    def epoch(self, metres, now):
        """GGA, RMC and GST of a receiver at that place now."""
        moment = time.gmtime(now)
        clock = time.strftime("%H%M%S", moment) + f".{int(now % 1 * 100):02}"
        degrees = self.LONGITUDE + metres / self.DEGREE
        east = f"{int(degrees):03}{(degrees % 1) * 60:08.5f},E"
        north = f"{int(self.LATITUDE):02}{(self.LATITUDE % 1) * 60:08.5f},N"
        knots = 0 if metres == 0 else self.SPEED / 0.514444
        return b"".join(sentence(body) for body in (
            f"GPGGA,{clock},{north},{east},1,10,0.8,500.0,M,47.0,M,,",
            f"GPGST,{clock},2.0,2.0,2.0,0.0,2.0,2.0,3.0",
            f"GPRMC,{clock},A,{north},{east},{knots:.1f},90.0,{time.strftime('%d%m%y', moment)},,,A"))


def sentence(body):
    check = 0
    for byte in body.encode():
        check ^= byte
    return f"${body}*{check:02X}\r\n".encode()


class Line:
    """A terminal line with a receiver at its end: a pty of the container."""

    def __init__(self, container):
        self.master = os.open(container.path("/dev/pts/ptmx"), os.O_RDWR | os.O_NOCTTY)
        fcntl.ioctl(self.master, TIOCSPTLCK, struct.pack("i", 0))
        number = struct.unpack("i", fcntl.ioctl(self.master, TIOCGPTN, b"\0" * 4))[0]
        self.name = f"/dev/pts/{number}"
        # Held open, so that the line outlives its reader's opening and closing of it.
        self.slave = os.open(container.path(self.name), os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self.slave)
        # As udev(7) does for serial lines.
        os.fchown(self.slave, 0, int(container.out("getent", "group", "dialout").split(":")[2]))
        os.fchmod(self.slave, 0o660)

    def write(self, data):
        while data:
            select.select([], [self.master], [], 10)
            data = data[os.write(self.master, data):]

    def unplug(self):
        for descriptor in (self.master, self.slave):
            os.close(descriptor)


class Receiver:
    """One in front of gpsd, added with gpsdctl(8)."""

    def __init__(self, container, drive):
        self.container = container
        self.drive = drive
        # Epochs that were sent, and those that an earlier gpsd received.
        self.sent = 0
        self.before = 0
        # When a real-time drive began, and when its next epoch is due.
        self.began, self.due = None, 0
        self.said = b""
        self.recorded = []
        self.times = set()
        # When we received each, on the wall clock.
        self.heard = {}
        self.line = Line(container)
        container.run("gpsdctl", "add", self.line.name)
        self.listen()

    def listen(self):
        self.client = poll("gpsd", self._connect, 20)
        self.client.sendall(b'?WATCH={"enable":true,"json":true}\n')
        self.client.setblocking(False)

    def _connect(self):
        try:
            return self.container.connect(2947)
        except OSError:
            return None

    def warm_up(self):
        """The first epoch repeatedly until gpsd has identified the receiver. A repeated epoch is
        not counted."""
        self.sent = max(self.sent, 1)
        poll(f"gpsd hears nothing from {self.line.name}", self.repeat, 60, 0)

    def repeat(self):
        """The last epoch once more; whether gpsd has reported it."""
        self.line.write(self.drive.epochs[self.sent - 1])
        self.attend(0.1)
        return bool(self.times)

    def send(self, upto):
        """The epochs up to this one, counted from the start of the drive."""
        for epoch in self.drive.epochs[self.sent:upto]:
            self.line.write(epoch)
            self.attend(PACE)
        self.sent = max(self.sent, min(upto, len(self.drive.epochs)))

    def drive_for(self, seconds):
        """A real-time drive for that long."""
        end = time.monotonic() + seconds
        self.began = self.began or time.monotonic()
        while time.monotonic() < end:
            self.due = max(self.due + 1, time.monotonic())
            self.attend(self.due - time.monotonic())
            metres = (time.monotonic() - self.began) * self.drive.SPEED
            epoch = self.drive.epoch(max(1, metres), time.time())
            self.drive.epochs.append(epoch)
            self.line.write(epoch)
            self.sent += 1

    def settle(self):
        """Waits until gpsd has reported everything it was sent, except what it holds back."""
        def told():
            self.attend(0.05)
            return len(self.times) + self.before >= self.sent - 2
        poll("gpsd is behind", told, 30)

    def attend(self, seconds):
        """Reads gpsd's output, and what it writes to the line, for that long."""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            ready, _, _ = select.select([self.line.master, self.client], [], [], max(0, left))
            if self.line.master in ready:
                os.read(self.line.master, 65536)
            if self.client in ready:
                self._hear(self.client.recv(1 << 16))
            if left <= 0:
                return

    def _hear(self, data):
        if not data:
            raise RuntimeError("gpsd has closed the connection")
        *lines, self.said = (self.said + data).split(b"\n")
        for line in lines:
            self.recorded.append(line.strip())
            if b'"class":"TPV"' in line and b'"lat":' in line:
                moment = json.loads(line).get("time", "")
                self.times.add(moment)
                self.heard.setdefault(moment, time.time())

    @property
    def last_fix(self):
        """Of the receiver, as gpsd writes it: 2025-05-12T02:27:06.000Z."""
        return max(self.times, default="")

    @property
    def recording(self):
        return b"\n".join(self.recorded) + b"\n"

    def unplug(self):
        self.line.unplug()
        self.client.close()
