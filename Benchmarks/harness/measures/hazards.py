"""What a catalogue with low bridges costs, while driving among them."""

import shutil

from .. import approaches as generated
from .. import process
from ..report import Row, plain
from ..bench import without_events
from .small import instructions_of_engine, ours

COUNT = 10_000


def approaches(bench):
    """The engine alone on the same drive, with and without 10,000 hazards beside the 1.1 M fences:
    all of them are too low for the vehicle, and warned of."""
    plain_store = bench.store()
    store = bench.work / "with-approaches"
    shutil.rmtree(store, ignore_errors=True)
    shutil.copytree(plain_store, store)
    path = bench.work / "approaches.geojson"
    generated.generate(bench.data, COUNT, path)
    process.run([bench.parts, "import", store, path, "origin", "roads/bench"])
    values = {}
    for name, state in [("without", plain_store), ("with", store)]:
        values[name] = bench.ours("engine", state, bench.drive)
    more = values["with"]["events_per_pass"] - values["without"]["events_per_pass"]
    bench.need("valgrind")
    first = 2_000 if bench.quick else 10_000
    without, among = (instructions_of_engine(bench, state, bench.drive, first)
                      for state in (plain_store, store))
    yield Row("instructions per fix with 10 000 approaches, engine alone", "without",
              among / without, None, 2, shown=f"{plain(among)} against {plain(without)}; {plain(more)} "
              f"stages on the drive, CPU {plain(values['with']['cpu_ns_per_fix'])} against "
              f"{plain(values['without']['cpu_ns_per_fix'])} ns")
    few, many = (200, 1000) if bench.quick else (500, 2500)
    without, among = (
        sum(sign * ours(bench, without_events(state), fixes, 0.02)[0]
            for sign, fixes in [(-1, few), (1, many)]) / (many - few)
        for state in (plain_store, store))
    yield Row("instructions per fix with 10 000 approaches, end to end", "without",
              among / without, 1.2, shown=f"{plain(among)} against {plain(without)}")
