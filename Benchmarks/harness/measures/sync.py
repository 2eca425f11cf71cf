"""What geofenced-sync costs: a look at an unchanged document of 25,000 fences, and 100,000 over paged
OData beside an import of the same as GeoJSON. Processor time is that of client and daemon together."""

import http.server
import json
import threading

from .. import process
from ..daemon import Daemon
from ..figure import Figure
from ..report import Row, plain

UNCHANGED, PAGE = 25_000, 1000


def row(number):
    return {"ID": f"w{number:06}", "Title": f"Warehouse {number}", "Description": "Dock in the yard",
            "Latitude": 40 + number // 400 * 0.02, "Longitude": 5 + number % 400 * 0.02,
            "Radius": 80 + number % 50}


def feature(number, prefix):
    each = row(number)
    return {"type": "Feature", "id": f"{prefix}{each['ID']}",
            "geometry": {"type": "Point", "coordinates": [each["Longitude"], each["Latitude"]]},
            "properties": {"title": each["Title"], "description": each["Description"],
                           "radius": each["Radius"]}}


def collection(count, prefix=""):
    return json.dumps({"type": "FeatureCollection",
                       "features": [feature(n, prefix) for n in range(count)]}).encode()


class Office(http.server.ThreadingHTTPServer):
    """A document that does not change, and `count` rows in pages."""

    def __init__(self, count):
        super().__init__(("127.0.0.1", 0), Answer)
        self.requests = 0
        self.document = collection(UNCHANGED)
        self.pages = [json.dumps({
            "@odata.context": "x", "@odata.count": count,
            "value": [row(n) for n in range(at, at + PAGE)],
            **({"@odata.nextLink": f"Place?at={at + PAGE}"} if at + PAGE < count else {})}).encode()
            for at in range(0, count, PAGE)]
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.server.requests += 1
        body = b'{"@odata.context":"x","value":[]}'
        if self.path.startswith("/set"):
            body = None if self.headers.get("If-None-Match") == '"1"' else self.server.document
        elif "Place" in self.path:
            at = self.path.split("at=")
            body = self.server.pages[int(at[1]) // PAGE if len(at) > 1 else 0]
        self.send_response(304 if body is None else 200)
        self.send_header("OData-Version", "4.0")
        self.send_header("ETag", '"1"')
        if body is not None:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body or b"")


class Box:
    """A daemon without fences, and what asks or brings some."""

    def __init__(self, bench):
        self.bench = bench
        self.directory = process.Directory(bench.work)
        for folder in ("state", "sync", "status"):
            (self.directory / folder).mkdir()
        self.bus = process.Bus(self.directory)
        self.daemon = Daemon(bench, self.directory / "state", 1, self.bus,
                             settings="[Origins]\nMaxFences=1000000\n")

    def run(self, program, *arguments):
        """Its processor time and that of the daemon, s, and its peak, bytes."""
        before = process.cpu(self.daemon.pid)
        used = process.measure([program, "--bus", self.bus.address, *arguments])
        return used.cpu, process.cpu(self.daemon.pid) - before, used.peak

    def sync(self, text):
        path = self.directory / "office.conf"
        path.write_text(text)
        return self.run(self.bench.program("geofenced-sync"), "--config", path, "--state-dir",
                        self.directory / "sync", "--status-dir", self.directory / "status", "office")

    def state(self, name, expected):
        found = json.loads((self.directory / "status/office.json").read_text())
        if found[name] != expected:
            raise RuntimeError(f"{name} is not {expected}: {found}")

    def stop(self):
        self.daemon.stop()
        self.bus.stop()
        self.directory.remove()


def sync(bench):
    bench.need_built("geofenced-sync")
    count = bench.repetitions(100_000, 10_000).stop
    office = Office(count)
    looks, imported, fetched = [], [], []
    box = Box(bench)
    config = f"[Source]\nType=geojson\nURL={office.address}/set.geojson\n"
    box.sync(config)
    for _ in bench.repetitions(5, 2):
        before = office.requests
        looks.append((*box.sync(config), office.requests - before))
        box.state("state", "unchanged")
    box.stop()
    client, daemon, peak, requests = sorted(looks)[len(looks) // 2]
    yield Row(f"sync: a look at {plain(UNCHANGED)} unchanged fences, CPU", "–",
              Figure.of([(each[0] + each[1]) * 1000 for each in looks]), unit="ms",
              shown=f"{requests} request, {plain(client * 1000)} ms the client's, "
              f"{plain(daemon * 1000)} the daemon's, {plain(peak / 1e6)} MB")
    file = bench.work / "office.geojson"
    file.write_bytes(collection(count, "office/"))
    for _ in bench.repetitions(3):
        box = Box(bench)
        imported.append(box.run(bench.tool, "import", file))
        box.stop()
        box = Box(bench)
        fetched.append(box.sync(f"[Source]\nURL={office.address}/svc\nEntitySet=Place\n"
                                "MaxFences=1000000\nMaxSize=1G\n"))
        box.state("fences", count)
        box.stop()
    office.shutdown()
    mine, other = (Figure.of([each[0] + each[1] for each in runs]) for runs in (fetched, imported))
    yield Row(f"sync: {plain(count)} fences over OData in {len(office.pages)} pages, CPU",
              "import of GeoJSON", mine / other,
              shown=f"{plain(mine.value)} against {plain(other.value)} s, of which clients "
              f"{plain(fetched[-1][0])} and {plain(imported[-1][0])}; {plain(fetched[-1][2] / 1e6)} "
              f"against {plain(imported[-1][2] / 1e6)} MB")
