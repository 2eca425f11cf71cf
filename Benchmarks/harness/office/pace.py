"""What an event costs at the pace of a fleet: the fewer come at once, the fewer share a transaction."""

import time

from .. import process
from ..figure import Figure
from ..report import Row, plain
from . import rig
from .rows import BOXES

# Events/s: the peaks of 10,000 and 100,000 boxes, and of as many as one database takes for long.
PACES = [290, 2_900, 12_000]
# A part of a second, and how long one measurement takes, s.
TICK, SPAN = 0.02, 10


def pace(bench):
    bench.need("psql", "mosquitto")
    with rig.office() as ours:
        ingest = ours.ingest()
        pids = {"database": rig.backend(ours), "ingest": ingest.pid}
        voice = rig.Voice(ours.port)
        voice.send(rig.messages(BOXES, 1, 1, 1))
        first = 2
        for events in PACES:
            used = []
            for _ in bench.repetitions(5, 2):
                count = events * SPAN
                made = rig.messages(BOXES, first, -(-count // BOXES), 1)[:count]
                first += -(-count // BOXES)
                before = {each: process.cpu(pid) for each, pid in pids.items()}
                begin = time.monotonic()
                for number in range(0, count, max(1, int(events * TICK))):
                    time.sleep(max(0, begin + number / events - time.monotonic()))
                    voice.say(made[number:number + max(1, int(events * TICK))])
                voice.send([])
                used.append({each: (process.cpu(pid) - before[each]) / count
                             for each, pid in pids.items()})
            cost = Figure.of([each["database"] * 1e6 for each in used])
            bench.figures.setdefault("pace", {})[events] = cost.value
            share = min(1000, events / 5)
            yield Row(f"an event at {events:,} events/s, the database's CPU", "–", cost, unit="µs",
                      shown=f"{plain(share)} share a transaction; ingest "
                            f"{plain(Figure.of([each['ingest'] * 1e6 for each in used]).value)} µs")
        voice.close()
