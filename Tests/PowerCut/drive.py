"""A drive round a loop road lined with fences, sent by a receiver as NMEA in real time."""

import json
import math
import os
import subprocess
import threading
import time
from datetime import datetime, timedelta, timezone

LATITUDE, LONGITUDE = 47.0, 8.0
LOOP = 600.0  # radius of the road, m
SPEED = 30.0  # m/s
RATE = 5  # epochs a second
METRES = 111_320.0  # of a degree of latitude, near enough: places need not be exact, only the same


def position(way):
    """Latitude and longitude after that many metres of the loop, and the course."""
    angle = way / LOOP
    return place(LOOP * math.sin(angle), LOOP * math.cos(angle)) + (
        (90 + math.degrees(angle)) % 360,)


def place(east, north):
    return (LATITUDE + north / METRES,
            LONGITUDE + east / (METRES * math.cos(math.radians(LATITUDE))))


def circle(identifier, east, north, radius, **properties):
    latitude, longitude = place(east, north)
    return {"type": "Feature", "id": identifier,
            "properties": {"radius": round(radius, 1), **properties},
            "geometry": {"type": "Point",
                         "coordinates": [round(longitude, 7), round(latitude, 7)]}}


def road_fences(rng, count):
    """Circles on the road, one every few metres, and twice as many beside it that are never met."""
    features = []
    for number in range(count):
        angle = 2 * math.pi * (number + rng.random() / 2) / count
        out = LOOP + rng.uniform(-12, 12)
        dwell = {"dwell": 2} if number % 8 == 0 else {}
        features.append(circle(f"road-{number}", out * math.sin(angle), out * math.cos(angle),
                               rng.uniform(35, 90), title=f"Place {number}", **dwell))
    for number in range(2 * count):
        angle, out = rng.uniform(0, 2 * math.pi), rng.uniform(900, 3000)
        features.append(circle(f"beside-{number}", out * math.sin(angle), out * math.cos(angle),
                               rng.uniform(35, 90)))
    return features


def far_fences(rng, count, title):
    """A large catalogue, far away."""
    return [circle(f"far-{number}", rng.uniform(-90_000, 90_000), rng.uniform(20_000, 90_000),
                   rng.uniform(20, 200), title=title) for number in range(count)]


def write_fences(path, features):
    with open(path, "w") as file:
        json.dump({"type": "FeatureCollection", "features": features}, file)


def sentence(body):
    checksum = 0
    for byte in body.encode():
        checksum ^= byte
    return f"${body}*{checksum:02X}\r\n"


def degrees(value, width, letters):
    whole, minutes = divmod(round(abs(value) * 60, 5), 60)
    return f"{int(whole):0{width}d}{minutes:08.5f},{letters[value < 0]}"


def epoch(moment, way, speed):
    """RMC and GGA of one epoch; HDOP 0.5, which is an error of 7.5 m."""
    latitude, longitude, course = position(way)
    where = f"{degrees(latitude, 2, 'NS')},{degrees(longitude, 3, 'EW')}"
    clock = moment.strftime("%H%M%S.") + f"{moment.microsecond // 10_000:02d}"
    return (sentence(f"GPRMC,{clock},A,{where},{speed / 0.514444:.2f},{course:.1f},"
                     f"{moment:%d%m%y},,,A")
            + sentence(f"GPGGA,{clock},{where},1,10,0.5,400.0,M,48.0,M,,"))


class Receiver:
    """Sends to `listener` while it has power. The vehicle moves only on request; receiver time
    always advances. Everything sent is kept in `said`."""

    def __init__(self, start=datetime(2026, 3, 1, 10, tzinfo=timezone.utc)):
        self.start, self.begun = start, time.monotonic()
        self.way, self.moves = 0.0, False
        self.said, self.moments = [], []
        self.listener = None
        self.lock = threading.Lock()
        self.ends = False
        self.thread = threading.Thread(target=self._speak, daemon=True)
        self.thread.start()

    def power(self, listener):
        """On, to a callable that takes bytes; None: off, and the vehicle stands."""
        with self.lock:
            self.listener = listener
            if listener is None:
                self.moves = False

    def stop(self):
        self.ends = True
        self.thread.join()

    def _speak(self):
        tick = 0
        while not self.ends:
            tick += 1
            time.sleep(max(0, self.begun + tick / RATE - time.monotonic()))
            with self.lock:
                if self.moves:
                    self.way += SPEED / RATE
                if self.listener is None:
                    continue
                moment = self.start + timedelta(seconds=tick / RATE)
                text = epoch(moment, self.way, SPEED if self.moves else 0)
                self.moments.append(moment)
                self.said.append(text)
                self.listener(text.encode())


def oracle(tool, work, said, name="drive.nmea"):
    """The events of the receiver's output in a daemon without faults."""
    track = os.path.join(work, name)
    with open(track, "w") as file:
        file.writelines(said)
    lines = subprocess.run(
        [tool, "replay", track, "--json", "--fences", os.path.join(work, "road.geojson")],
        check=True, capture_output=True).stdout
    # The last line is a summary.
    return [event for line in lines.splitlines() if "kind" in (event := json.loads(line))]


def put(image, source, target):
    """Writes a file into the file system of an unmounted disk."""
    commands, directory = [], ""
    for part in target.split("/")[1:-1]:
        directory += "/" + part
        commands.append(f"mkdir {directory}")
    commands.append(f"write {source} {target}")
    subprocess.run(["debugfs", "-w", "-f", "-", image], input="\n".join(commands), text=True,
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
