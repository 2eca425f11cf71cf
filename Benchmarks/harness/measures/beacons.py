"""What a sighting of a beacon costs."""

from ..figure import Figure
from ..report import Row, plain

REGIONS = 200


def beacons(bench):
    """The engine alone. All regions are inside and heard in turn, each once a second; and a
    beacon that belongs to none."""
    ours, strangers = [], []
    for _ in bench.repetitions(5, 3):
        values = bench.ours("beacons", REGIONS)
        ours.append(values["cpu_us_per_sighting"])
        strangers.append(values["cpu_us_per_stranger"])
    most = bench.ours("beacons", "most")
    yield Row(f"a sighting, {REGIONS} beacon regions, engine alone", "–", Figure.of(ours), 5, 3,
              unit="µs", shown=f"{plain(most['cpu_us_per_sighting'])} µs with as many as there "
              f"may be, {plain(Figure.of(strangers).value)} µs for a stranger's")
