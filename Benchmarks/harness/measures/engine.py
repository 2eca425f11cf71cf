"""The engine alone: fixes per second, re-centring, and the correctness of its events."""

from ..figure import median, ratio
from ..report import Row, plain
from .growth import shape
from .small import instructions_of_engine


def engine(bench):
    """Windows over the same fences on the same drive. The floor detects a crossing by one haversine
    for each of its twenty; ours follows the whole law."""
    store = bench.store()
    passes = 3 if bench.quick else 10
    floor, ours = [], []
    for _ in bench.repetitions(5, 3):
        values = bench.floor("win20", bench.data / "j.db", passes, "box")
        floor.append(values["cpu_s"] * 1e9 / (passes * 10_000))
        values = bench.ours("engine", store, bench.drive, "passes", passes)
        ours.append(values["cpu_ns_per_fix"])
    yield Row("engine, fixes/s with the 1.1 M store", "win20 box", ratio(floor, ours), 0.8, 1.5,
              least=True,
              shown=f"{plain(1e9 / median(ours))} against {plain(1e9 / median(floor))} fixes/s of "
              f"CPU; {plain(values['recentres_per_pass'])} re-centres, "
              f"{plain(values['events_per_pass'])} events")


def recentre(bench):
    """The query of a re-centre, at the same positions of the drive; and then the whole fix that
    re-centres, against the floor's."""
    store = bench.store()
    asked = {"floor": ([], []), "ours": ([], [])}
    whole = {"floor": ([], []), "ours": ([], [])}
    for _ in bench.repetitions(5, 2):
        note(asked["floor"], bench.floor(
            "sqlite_knn", bench.data / "j.db", "box", "drive", 2000), "q")
        note(asked["ours"], bench.ours("nearest", store, bench.drive, "count", 2000), "q")
        note(whole["floor"], bench.floor("win20", bench.data / "j.db", 3, "box"), "recentre")
        note(whole["ours"], bench.ours("recentre", store, bench.drive), "recentre")
    for name, both in [("nearest 20 on the drive", asked), ("the whole fix", whole)]:
        for share, place, must in [("p50", 0, 1.3), ("p99", 1, 1.5)]:
            floor, ours = both["floor"][place], both["ours"][place]
            yield Row(f"re-centre {share}, {name}", "C box query", ratio(ours, floor), must, 1.1,
                      shown=f"{plain(median(ours))} against {plain(median(floor))} µs")


def note(lists, values, name):
    lists[0].append(values[f"{name}_p50_us"])
    lists[1].append(values[f"{name}_p99_us"])


def inside(bench):
    """Every fix of every drive lies in a county, a country or a zone."""
    bench.need("valgrind")
    first = 1000 if bench.quick else 2000
    each = {}
    for name, latitude in [("inside", 39.0), ("outside", 59.0)]:
        file = bench.work / f"county-{name}.geojson"
        file.write_text(shape(1000, 300_000, latitude))
        each[name] = instructions_of_engine(
            bench, bench.store_of(file, f"county-{name}"), bench.drive, first)
    yield Row("instructions per fix inside a county of 10³ vertices, engine alone", "outside it",
              each["inside"] / each["outside"], 1.2,
              shown=f"{plain(each['inside'])} against {plain(each['outside'])}")


def events(bench):
    """Equal means equal in every field of every event, and in their order."""
    store = bench.store()
    for every in [1, 2, 5, 10]:
        path = bench.work / f"events-{every}"
        values = bench.ours("compare", store, bench.drive, "every", every, "events", path)
        name = "the drive" if every == 1 else f"every {ordinal(every)} fix of it"
        yield Row(f"events on {name}", "every fence on every fix", values["equal"], 1, 1,
                  least=True, unit="",
                  shown=f"{plain(values['events'])} events; {plain(values['fences_near'])} fences "
                  f"within a tenth of a degree looked at on {plain(values['fixes'])} fixes")


def ordinal(number):
    return {2: "2nd", 3: "3rd"}.get(number, f"{number}th")
