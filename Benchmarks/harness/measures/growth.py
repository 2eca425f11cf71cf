"""How the cost grows: with the number of fences, their density, the vertices of one, and the rate
of the receiver."""

import array
import datetime
import math
import shutil

from .. import process
from ..daemon import Daemon
from ..data import METRES_A_DEGREE, SPEED, tpv_line
from ..report import Row, plain, table
from .small import instructions_of_engine

BEGIN = datetime.datetime(2026, 6, 1, 8)


def growth(bench):
    yield from by_count(bench)
    yield by_density(bench)
    yield from by_vertices(bench)
    yield by_rate(bench)


def compared(name, costs, one, other, must, aim):
    """A row for the instructions of two lines of a table; none without callgrind."""
    if all("instructions" in costs[key] for key in (one, other)):
        yield Row(name, other, costs[one]["instructions"] / costs[other]["instructions"], must, aim,
                  shown=f"{of(costs[one], 'instructions')} against {of(costs[other], 'instructions')}")


def cost(bench, store, drive, passes=3, first=10_000):
    """Per fix: ns of the processor; instructions, of the first fixes; and counts of what
    happened."""
    least = min((bench.ours("engine", store, drive, "passes", passes)
                 for _ in bench.repetitions(3)), key=lambda run: run["cpu_ns_per_fix"])
    if shutil.which("valgrind"):
        least["instructions"] = instructions_of_engine(
            bench, store, drive, min(first, int(least["fixes"])))
    return least


def of(each, name):
    """None without callgrind."""
    return plain(each[name]) if name in each else "–"


def memory(bench, store, drive):
    """PSS, MB, of a daemon after a drive, and the cost of its start, ms: the second start, because
    the first one creates the event log."""
    feeder = process.Feeder("gpsd", drive, interval=0.01, limit=500)
    bus = process.Bus(process.Directory(bench.work))
    first = Daemon(bench, store, feeder.port, bus)
    feeder.wait_for_client()
    first.stop()
    feeder.go()
    daemon = Daemon(bench, store, feeder.port, bus)
    feeder.wait_for_client()
    feeder.go()
    feeder.wait_until_done()
    process.busy_until(daemon.pid, idle=1)
    result = process.pss(daemon.pid) / 1e6, daemon.start_cpu * 1000
    daemon.stop()
    bus.stop()
    feeder.stop()
    return result


def by_count(bench):
    rows, costs = [], {}
    for fences in [20, 1000, 10_000, 100_000, bench.count]:
        store = bench.store(fences)
        each = costs[f"{plain(fences)} fences"] = cost(bench, store, bench.drive)
        again = bench.ours("recentre", store, bench.drive)
        megabytes, started = memory(bench, bench.store(fences), bench.drive)
        rows.append([
            plain(fences), plain(each["cpu_ns_per_fix"]), of(each, "instructions"),
            plain(each["recentres_per_pass"]),
            plain(again["recentre_p50_us"]) if again["recentres"] else "–",
            plain(megabytes), plain(bench.import_of(store)["cpu_s"]), plain(started)])
    yield from compared("instructions per fix, by the number of fences, engine alone", costs,
                        f"{plain(bench.count)} fences", f"{plain(1000)} fences", 1.5, 1.1)
    yield "By the number of fences, on the drive:\n\n" + table(rows, [
        "fences", "ns a fix", "instructions a fix", "re-centres", "µs a re-centre",
        "PSS, MB", "import, s of CPU", "start, ms of CPU"])


def by_density(bench):
    rows = []
    store = bench.store()
    for name, drive in [("dense: the drive, in two cities", bench.drive),
                        ("sparse: 250 km across the open country", open_country(bench))]:
        each = cost(bench, store, drive)
        rows.append([name, plain(each["cpu_ns_per_fix"]), of(each, "instructions"),
                     plain(each["recentres_per_pass"]), plain(each["events_per_pass"])])
    return "By density, 10 000 fixes among 1.1 M fences:\n\n" + table(
        rows, ["where", "ns a fix", "instructions a fix", "re-centres", "events"])


def open_country(bench):
    """Straight to the north-west through the evenly spread fences."""
    fixes = ((41 + 0.7 * SPEED * second / METRES_A_DEGREE,
              -101 - 0.7 * SPEED * second / METRES_A_DEGREE / math.cos(math.radians(42)))
             for second in range(10_000))
    return write(bench.work / "open.tpv", fixes, 1)


def write(path, fixes, rate):
    """A track of positions, at a given rate per second."""
    with open(path, "w", newline="") as file:
        for number, (latitude, longitude) in enumerate(fixes):
            time = BEGIN + datetime.timedelta(seconds=number / rate)
            file.write(tpv_line(time, latitude, longitude, 315.0))
    return path


def by_vertices(bench):
    """One fence around a city that the drive leaves and enters, and one around everything."""
    rows, costs = [], {}
    for name, vertices, radius in [
            ("circle, 5 km", 0, 5000), ("polygon, 10 vertices, 5 km", 10, 5000),
            ("county, 10³ vertices, 5 km", 1000, 5000),
            ("ocean, 10⁵ vertices, 5 km", 100_000, 5000),
            ("ocean, 10⁵ vertices, 300 km: always inside", 100_000, 300_000)]:
        file = bench.work / f"shape-{vertices}-{radius}.geojson"
        file.write_text(shape(vertices, radius))
        key = f"shape-{vertices}-{radius}"
        each = costs[name] = cost(bench, bench.store_of(file, key), bench.drive, first=2000)
        megabytes, started = memory(bench, bench.store_of(file, key), bench.drive)
        rows.append([name, plain(each["cpu_ns_per_fix"]), of(each, "instructions"),
                     plain(each["events_per_pass"]), plain(megabytes), plain(started)])
    inside = "ocean, 10⁵ vertices, 300 km: always inside"
    yield from compared("instructions per fix, always inside an ocean, engine alone", costs,
                        inside, "circle, 5 km", 3, 1.2)
    yield "By the shape of a single fence, on the drive:\n\n" + table(rows, [
        "fence", "ns a fix", "instructions a fix", "events", "PSS, MB", "start, ms of CPU"])


def shape(vertices, radius, latitude=39.0):
    """A wavy ring with a given number of vertices around the first city, or at another latitude; or
    a circle."""
    longitude = -95.0
    if vertices == 0:
        return ('{"type":"Feature","id":"shape","properties":{"radius":%d},"geometry":'
                '{"type":"Point","coordinates":[%f,%f]}}' % (radius, longitude, latitude))
    ring = []
    for number in range(vertices):
        angle = 2 * math.pi * number / vertices
        reach = radius * (1 + 0.05 * math.sin(7 * angle) + 0.01 * math.sin(61 * angle))
        north = reach * math.sin(angle) / METRES_A_DEGREE
        east = reach * math.cos(angle) / METRES_A_DEGREE / math.cos(math.radians(latitude))
        ring.append(f"[{longitude + east:.7f},{latitude + north:.7f}]")
    return ('{"type":"Feature","id":"shape","properties":{},"geometry":{"type":"Polygon",'
            '"coordinates":[[%s]]}}' % ",".join(ring + ring[:1]))


def by_rate(bench):
    """The same road at the same speed, reported more often."""
    rows = []
    store = bench.store()
    places = array.array("d")
    with open(bench.data / "drive.bin", "rb") as file:
        places.frombytes(file.read(16 * 201))
    road = list(zip(places[::2], places[1::2]))
    for rate in [1, 10, 100]:
        drive = write(bench.work / f"rate-{rate}.tpv", between(road, rate), rate)
        each = cost(bench, store, drive, passes=20, first=20_000)
        rows.append([f"{rate} Hz", plain(each["cpu_ns_per_fix"]), of(each, "instructions"),
                     plain(each["cpu_ns_per_fix"] * rate / 1000),
                     plain(each["recentres_per_pass"]), plain(each["events_per_pass"])])
    return "By the rate of the receiver, 200 s of the drive among 1.1 M fences:\n\n" + table(
        rows, ["rate", "ns a fix", "instructions a fix", "µs a second", "re-centres", "events"])


def between(road, rate):
    for (lat1, lon1), (lat2, lon2) in zip(road, road[1:]):
        for step in range(rate):
            share = step / rate
            yield lat1 + share * (lat2 - lat1), lon1 + share * (lon2 - lon1)
