"""Attacks with odd fences, imported and in fences.d: see attacks."""

import json
import math
import threading

from attacks import MEGABYTES, peak, under
from container import poll


def star(vertices, holes, latitude=10.0, longitude=20.0):
    """A polygon with many vertices and many small holes, all valid."""
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
