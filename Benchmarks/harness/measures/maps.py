"""What the map costs: the file of a drive and its first paint in Debian's Chromium; beside a daemon with
1.1 M fences a view over HTTP and drawn; its memory; and what its viewers cost the daemon. See
docs/MAP-FIGURES.md."""

import functools
import json
import operator
import os
import random
import signal
import socket
import subprocess
import sys
import time

from .. import process
from ..bench import ROOT
from ..daemon import Daemon
from ..figure import Figure, median
from ..report import Row, plain

# Zoom, and degrees of longitude that 1280 pixels show there.
VIEWS = [(zoom, 1280 / 256 * 360 / 2 ** zoom) for zoom in (3, 4, 6, 8, 10, 12, 14)]
CENTRE = (48.2, 11.6)
# Degrees of longitude on 48° N where a row of fences begins, and 30 m of them.
ROW, STEP = 20, 0.000402
PAINTED = """
const done = arguments[0], look = () => {
    const found = performance.getEntriesByName('first-contentful-paint')[0];
    if (found) done(found.startTime); else setTimeout(look, 10);
};
look();"""
DRAW = """
const [latitude, longitude, zoom, done] = arguments, page = window.drivePage;
page.setFollow(false);
page.map.setView([latitude, longitude], zoom, { animate: false });
const canvas = document.querySelector('#map canvas');
setTimeout(() => {
    const times = [];
    for (let i = 0; i < 30; i++) {
        const begun = performance.now();
        page.layer.draw();
        // What was drawn is read: else it would be put off.
        canvas.getContext('2d').getImageData(0, 0, 1, 1);
        times.push(performance.now() - begun);
    }
    done(times);
}, 1500);"""


def maps(bench):
    bench.need("chromium", "chromedriver")
    bench.need_built("geofenced-map")
    sys.path.insert(0, str(ROOT / "Tests/Map"))
    yield from files(bench)
    vehicle = Vehicle(bench)
    yield from views(bench, vehicle)
    yield from drawn(bench, vehicle)
    yield from unwatched(vehicle)
    yield from viewers(bench, vehicle)
    vehicle.stop()


def limit_of(zoom):
    """ms in which a view must be there, and drawn."""
    return 16 if zoom >= 12 else 100


def circles(path, rows):
    with open(path, "w") as out:
        out.write("id,latitude,longitude,radius\n")
        out.writelines(rows)
    return path


def files(bench):
    drive, fences = (ROOT / f"Tests/Drives/truckee-reno.{end}" for end in ("nmea", "geojson"))
    long = bench.work / "long.gpx"
    ten_hours(long)
    places = circles(bench.work / "long.csv",
                     (f"place-{n},48.1,{11 + n * 0.03:.4f},150\n" for n in range(32)))
    for what, track, around, must, soon in [
            ("12 minutes", drive, fences, 300, 500),
            ("ten hours at 1 Hz", long, places, 2000, None)]:
        page = bench.work / "drive.html"
        process.run([bench.tool, "replay", track, "--fences", around, "--map", page])
        yield Row(f"map: file of a drive of {what}", "–", page.stat().st_size / 1000, must,
                  unit="KB")
        paints = [first_paint(page) for _ in bench.repetitions(5, 2)]
        yield Row(f"map: first paint of it, {what}", "–", Figure.of(paints), soon, unit="ms")


def ten_hours(path):
    """At 1 Hz, through a town and back, as GPX."""
    with open(path, "w") as out:
        out.write('<gpx version="1.1"><trk><trkseg>')
        for second in range(36_000):
            turn = second % 3600
            east = min(turn, 3600 - turn) * 20
            out.write(f'<trkpt lat="{48.1 + (second % 97) * 1e-6:.7f}" '
                      f'lon="{11 + east / 74_400:.7f}"><time>2026-03-02T{clock(second, ":")}Z</time>'
                      "</trkpt>\n")
        out.write("</trkseg></trk></gpx>")


def clock(second, between=""):
    return between.join(f"{each:02}" for each in (second // 3600, second // 60 % 60, second % 60))


def first_paint(page):
    from page import browser, size
    driver = browser()
    try:
        size(driver, 1280, 800)
        driver.get(page.as_uri())
        return driver.execute_async_script(PAINTED)
    finally:
        driver.quit()


class Vehicle:
    """A daemon that reads NMEA from a pipe, and a map beside it."""

    def __init__(self, bench):
        self.bench = bench
        self.directory = process.Directory(bench.work)
        self.bus = process.Bus(self.directory)
        fifo = self.directory / "nmea"
        os.mkfifo(fifo)
        (self.directory / "state").mkdir()
        self.daemon = Daemon(bench, self.directory / "state", 0, self.bus, source=f"nmea:{fifo}")
        self.nmea = open(fifo, "w")
        self.map = None
        self.clock = 0

    def bring(self, fences):
        process.run([self.bench.tool, "import", fences, "--bus", self.bus.address])

    def start_map(self, *arguments, **options):
        self.map = process.start(
            [self.bench.program("geofenced-map"), "--bus", self.bus.address, "--config",
             self.directory / "none.conf", *arguments], **options)

    def serve(self):
        """On a socket, until 2 s after nobody looks."""
        path = self.directory / "http"
        path.unlink(missing_ok=True)
        self.start_map("--socket", path, "--idle", "2")
        process.until(path.exists, 20, "the map")

    def asked(self, target):
        link = socket.socket(socket.AF_UNIX)
        link.connect(str(self.directory / "http"))
        link.sendall(f"GET {target} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        return link

    def get(self, target):
        """Body, and ms to its end."""
        begun = time.monotonic()
        with self.asked(target) as link:
            said = b""
            while piece := link.recv(1 << 20):
                said += piece
        head, body = said.split(b"\r\n\r\n", 1)
        if b" 200 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(f"{target}: {head[:200]}")
        return body, (time.monotonic() - begun) * 1000

    def fix(self, longitude):
        self.clock += 1
        place = f"4800.0000,N,{int(longitude):03}{longitude % 1 * 60:07.4f},E"
        for text in [f"GPGGA,{clock(self.clock)}.00,{place},1,09,0.8,400,M,46,M,,",
                     f"GPRMC,{clock(self.clock)}.00,A,{place},58.3,90.0,020326,,,A"]:
            check = functools.reduce(operator.xor, text.encode())
            self.nmea.write(f"${text}*{check:02X}\r\n")
        self.nmea.flush()

    def stop(self):
        for program in (self.map, self.daemon.program, self.bus.program):
            process.stop(program)
        self.nmea.close()


def views(bench, vehicle):
    source = random.Random(1)

    def rows():
        for number in range(bench.repetitions(1_100_000, 100_000).stop):
            if number % 50 == 0:
                town = (source.uniform(36, 60), source.uniform(-8, 30))
            yield (f"p{number},{source.gauss(town[0], 0.05):.5f},"
                   f"{source.gauss(town[1], 0.08):.5f},{source.randrange(30, 300)}\n")

    vehicle.bring(circles(bench.work / "many.csv", rows()))
    vehicle.serve()
    with vehicle.asked("/v1/live"):
        for zoom, width in VIEWS:
            height = min(170, width * 800 / 1280 * 0.67)
            west, south = max(-180, CENTRE[1] - width / 2), max(-85, CENTRE[0] - height / 2)
            within = (f"{west:.5f},{south:.5f},{min(180, west + width):.5f},"
                      f"{min(85, south + height):.5f}")
            bodies, times = zip(*(vehicle.get(f"/v1/fences?within={within}") for _ in range(5)))
            answer = json.loads(bodies[0])
            what = "counts" if "cells" in answer else "fences"
            yield Row(f"map: view of zoom {zoom} over HTTP", "–", Figure.of(times), limit_of(zoom),
                      unit="ms", shown=f"{plain(answer['total'])} fences, "
                      f"{len(bodies[0]) / 1000:.0f} KB of {what}")


def drawn(bench, vehicle):
    """What the page needs to draw a view once it has it."""
    from page import browser, size
    process.stop(vehicle.map)
    vehicle.start_map("--loopback", stdout=subprocess.PIPE, text=True)
    driver = browser("MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
    try:
        size(driver, 1280, 800)
        driver.get(vehicle.map.stdout.readline().strip())
        driver.set_script_timeout(30)
        for zoom, _ in VIEWS:
            times = driver.execute_async_script(DRAW, *CENTRE, zoom)
            # The browser's clock has steps of 0.1 ms, so that 0 is a figure.
            yield Row(f"map: the same drawn, zoom {zoom}", "–", median(times), limit_of(zoom),
                      unit="ms", shown=f"{plain(min(times))} to {plain(max(times))}")
    finally:
        driver.quit()
        vehicle.map.send_signal(signal.SIGKILL)
        process.stop(vehicle.map)


def unwatched(vehicle):
    vehicle.serve()
    vehicle.get("/")
    yield memory(vehicle, "nobody looks")
    if status := vehicle.map.wait(10):
        raise RuntimeError(f"the map has ended ({status}) when nobody looked")


def memory(vehicle, when):
    pid = vehicle.map.pid
    return Row(f"map: PSS of geofenced-map, {when}", "–", process.pss(pid) / 1e6, 8, unit="MB",
               shown=f"{plain(process.anonymous(pid) / 1e6)} of it in no file")


def viewers(bench, vehicle):
    vehicle.bring(circles(bench.work / "row.csv", (
        f"row-{n},48,{ROW + n * STEP:.6f},25\n" for n in range(200))))
    delays(vehicle, 5)
    links = []
    for count in (0, 1, 8):
        if count == 1:
            vehicle.serve()
        links += [vehicle.asked("/v1/live") for _ in range(count - len(links))]
        found, spent = delays(vehicle, 15)
        yield Row(f"map: fix to signal, viewers: {count}", "–", Figure.of(found), unit="ms",
                  shown=f"{len(found)} events; CPU of the daemon {plain(spent)} ms a fix")
    yield memory(vehicle, "eight viewers")
    for link in links:
        link.close()


def delays(vehicle, steps):
    """ms from each fix in the pipe to the first signal of its events, and of the daemon per fix.
    At 30 m/s along a row of fences: each fix makes events."""
    import dbus
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib
    bus = dbus.bus.BusConnection(vehicle.bus.address, mainloop=DBusGMainLoop())
    loop = GLib.MainLoop()
    heard = []
    bus.add_signal_receiver(lambda *_: heard.append(time.monotonic()), signal_name="Transition",
                            path="/org/geofenced/Geofence1")
    bus.get_name_owner("org.geofenced.Geofence1")
    found, spent = [], process.cpu(vehicle.daemon.pid)
    for _ in range(steps):
        heard.clear()
        begun = time.monotonic()
        vehicle.fix(ROW + vehicle.clock * STEP)
        GLib.timeout_add(1000, loop.quit)
        loop.run()
        if heard:
            found.append((heard[0] - begun) * 1000)
    bus.close()
    return found, (process.cpu(vehicle.daemon.pid) - spent) * 1000 / steps
