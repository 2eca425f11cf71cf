"""The store: import, size, and nearest queries."""

import subprocess

from .. import process
from ..daemon import Daemon
from ..bench import Skipped, log
from ..peers import PostGIS, Redis
from ..figure import Figure, median, ratio
from ..report import Row, plain, skipped

IMPORT = """
pragma page_size=4096;
create table fences(id integer primary key, lat real, lon real, radius real, name text);
.import --csv --skip 1 {csv} fences
create virtual table rt using rtree(id, minlat, maxlat, minlon, maxlon);
insert into rt select id, lat - radius / 111195.0, lat + radius / 111195.0,
    lon - radius / 111195.0 / cos(radians(lat)), lon + radius / 111195.0 / cos(radians(lat))
    from fences;
"""


def imports(bench):
    """From the file to the first answer. Ours is the tool and the daemon together, through the
    bus; theirs are a table with an R*Tree, a GeoPackage with its index."""
    count = 110_000 if bench.quick else bench.count
    geojson, csv = bench.fences(count), bench.fences(count, "csv")
    ours_csv = table_for_ours(bench, csv)
    sides = {"geojson": [], "csv": [], "sqlite": [], "ogr": [], "pack": []}
    for repetition in bench.repetitions(3, 1):
        sides["geojson"].append(through_daemon(bench, geojson, count))
        sides["csv"].append(through_daemon(bench, ours_csv, count))
        sides["sqlite"].append(sqlite_import(bench, csv))
        if count == bench.count:
            sides["pack"].append(measured_floor(bench, "rtree_pack", "51", "wal"))
        if repetition == 0:
            sides["ogr"].append(geopackage(bench, geojson))
    many = "1.1 M" if count == bench.count else f"{plain(count)}"
    yield from import_rows(sides, f"GeoJSON, {many}", "geojson", "sqlite", "sqlite3 .import + INSERT",
                           0.5, 0.25)
    if sides["ogr"] and sides["ogr"][0]:
        yield from import_rows(sides, f"GeoJSON, {many}", "geojson", "ogr", "ogr2ogr → GPKG", 0.25, 0.15)
    else:
        yield skipped("import of GeoJSON, 1.1 M", "ogr2ogr → GPKG", "ogr2ogr is not here")
    if sides["pack"]:
        yield from import_rows(sides, f"CSV, {many}", "csv", "pack", "rtree_pack", 2, 1.4)
    else:
        yield skipped("import of CSV, 1.1 M", "rtree_pack", "quick, and it knows only 1.1 M")
    peaks = [usage.peak for usage in sides["geojson"] + sides["csv"]]
    ours_peak = max(peaks)
    if sides["ogr"] and sides["ogr"][0]:
        peak = sides["ogr"][0].peak
        # The largest of all runs is what a machine must have.
        largest = Figure(ours_peak / peak, min(peaks) / peak, ours_peak / peak, len(peaks))
        yield Row("import peak resident memory", "ogr2ogr", largest, 1.5, 1,
                  shown=f"{megabytes(ours_peak)} against {megabytes(peak)}")
    else:
        yield skipped("import peak resident memory", "ogr2ogr", "ogr2ogr is not here")
    ours_size, theirs = sides["geojson"][0].size, sides["sqlite"][0].size
    yield Row("store size", ".import file", ours_size / theirs, 0.9, 0.85,
              shown=f"{megabytes(ours_size)} against {megabytes(theirs)}")


def import_rows(sides, what, ours, other, name, must, aim):
    for kind in ["cpu", "wall"]:
        mine = [getattr(usage, kind) for usage in sides[ours]]
        theirs = [getattr(usage, kind) for usage in sides[other]]
        yield Row(f"import of {what} → queryable, {'CPU' if kind == 'cpu' else 'elapsed'}",
                  name, ratio(mine, theirs), must, aim,
                  shown=f"{plain(median(mine))} against {plain(median(theirs))} s")


def megabytes(size):
    return f"{plain(size / 1e6)} MB"


def table_for_ours(bench, csv):
    """The same table under the header that our reader requires."""
    path = bench.work / "table.csv"
    with open(csv) as source, open(path, "w") as target:
        next(source)
        target.write("id,latitude,longitude,radius,name\n")
        target.writelines(source)
    return path


def through_daemon(bench, file, count):
    """geofencectl import, and the daemon that executes it."""
    state = process.Directory(bench.work, "state-")
    bus = process.Bus(process.Directory(bench.work))
    feeder = process.Feeder("gpsd", bench.drive)
    daemon = Daemon(bench, state.path, feeder.port, bus)
    before = process.cpu(daemon.pid)
    usage = process.measure([bench.tool, "--bus", bus.address, "import", file])
    usage.cpu += process.cpu(daemon.pid) - before
    usage.peak += process.peak(daemon.pid)
    stored = int(process.run([
        "busctl", f"--address={bus.address}", "get-property", "org.geofenced.Geofence1",
        "/org/geofenced/Geofence1", "org.geofenced.Geofence1.Manager", "FenceCount"]).split()[1])
    if stored != count:
        raise RuntimeError(f"{stored} fences imported of {count}")
    daemon.stop()
    feeder.stop()
    bus.stop()
    usage.size = size(state.path)
    state.remove()
    return usage


def size(directory):
    """The size on disk after an orderly stop."""
    return sum(path.stat().st_size for path in directory.glob("catalogue.sqlite*"))


def sqlite_import(bench, csv):
    directory = process.Directory(bench.work)
    script = directory / "import.sql"
    script.write_text(IMPORT.format(csv=csv))
    database = directory / "fences.db"
    with open(script) as commands:
        usage = process.measure(["sqlite3", "-bail", database], stdin=commands)
    usage.size = database.stat().st_size
    directory.remove()
    return usage


def measured_floor(bench, name, *arguments):
    directory = process.Directory(bench.work)
    usage = process.measure(
        [bench.bin / name, directory / "floor.db", *arguments], env=bench.environment)
    directory.remove()
    return usage


def geopackage(bench, geojson):
    try:
        bench.need("ogr2ogr")
    except Skipped:
        return None
    log("ogr2ogr")
    directory = process.Directory(bench.work)
    usage = process.measure(
        ["ogr2ogr", "-f", "GPKG", directory / "fences.gpkg", geojson], stdin=subprocess.DEVNULL)
    directory.remove()
    return usage


def nearest(bench):
    """Anywhere among 1.1 M fences. Ours ranks by the distance to the boundary, on the ellipsoid,
    and is queried in process; the others rank by the distance to the centre, and are servers: the
    client's waiting time, and the server's share of it."""
    store = bench.store()
    ours = Figure.of([bench.ours("nearest", store, "anywhere", "count", 2000)["q_p50_us"]
                      for _ in bench.repetitions(5, 2)])
    asked = {"asked by a client": {}, "in the server alone": {}}
    for peer in [Redis, PostGIS]:
        try:
            server = peer(bench)
        except Skipped as why:
            yield skipped("nearest 20 anywhere, p50", peer.__name__, why)
            continue
        results = [server.nearest() for _ in bench.repetitions(3)]
        for place, best in enumerate(asked.values()):
            best[peer.__name__] = Figure.of([result[place] for result in results])
        server.stop()
    for how, best in asked.items():
        if not best:
            continue
        name = min(best, key=lambda peer: best[peer].value)
        yield Row("nearest 20 anywhere, p50", f"best of Redis, PostGIS, {how}: {name}",
                  ours / best[name], 0.7, 0.6, shown=f"{plain(ours.value)} against " + ", ".join(
                      f"{peer} {plain(each.value)}" for peer, each in best.items()) + " µs")
    floor = Figure.of([bench.floor("sqlite_knn", bench.data / "j.db", "box", "rand", 2000)["q_p50_us"]
                    for _ in bench.repetitions(5, 2)])
    yield Row("nearest 20 anywhere, p50", "C box query", ours / floor, None, 0.5,
              shown=f"{plain(ours.value)} against {plain(floor.value)} µs")
