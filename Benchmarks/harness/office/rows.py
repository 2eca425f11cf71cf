"""Rows per core-second, of the ingest through a broker and of psql alone."""

import datetime
import subprocess

from .. import process
from ..figure import Figure, ratio
from ..report import Row, plain
from . import rig

BOXES = 10_000
BATCH = 1000
# The bare minimum: the same table with its keys and index, without presence and gaps.
FLOOR = """
    CREATE SCHEMA floor;
    CREATE TABLE floor.event (LIKE fleet.event INCLUDING DEFAULTS) PARTITION BY RANGE (at);
    ALTER TABLE floor.event ADD PRIMARY KEY (box, log, seq, at);
    CREATE INDEX ON floor.event (fence, tenant, at DESC) WHERE kind IN ('enter', 'exit', 'initial');
    CREATE TABLE floor.event_default PARTITION OF floor.event DEFAULT;
"""
COLUMNS = "tenant, box, log, seq, at, kind, fence, title, stay, inferred, details"
# What the ingest stores of an event of `rig`.
DETAILS = ('{"fix_time":"%s","presence":"outside","reason":"certain","distance_m":80.0,"error_m":34.2,'
           '"evidence":{"distance_m":80.0,"error_m":34.2,"inradius_m":100.0,"buffer_m":20.0}}')


class Floor:
    """psql with rows in the format of COPY."""

    def __init__(self, ours):
        ours.ask(FLOOR)
        self._psql = process.start(
            ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", ours.address],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._say("CREATE TEMP TABLE incoming (LIKE floor.event INCLUDING DEFAULTS)"
                  " ON COMMIT DELETE ROWS;\nSELECT pg_backend_pid();\n")
        self._pid = int(self._psql.stdout.readline())

    def _say(self, words):
        self._psql.stdin.write(words)
        self._psql.stdin.flush()

    def store(self, first, count):
        """Stores the events of each box from `first` on; returns the CPU time of the backend, s."""
        script = self._script(first, count)
        before = process.cpu(self._pid)
        self._say(script)
        if self._psql.stdout.readline().strip() != "stored":
            raise RuntimeError("psql has failed")
        return process.cpu(self._pid) - before

    def _script(self, first, count):
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S+00")
        rows = ["\t".join([
            "1", str(box + 1), f"{box + 1:032x}", str(seq), now, ("enter", "exit")[seq % 2],
            f"wh/WDF{seq % 100:02}", "SAP SE WDF01", "00:25:12.4", "f", DETAILS % now])
            for seq in range(first, first + count) for box in range(BOXES)]
        parts = []
        for begin in range(0, len(rows), BATCH):
            parts += [f"BEGIN;\nCOPY incoming ({COLUMNS}) FROM stdin;",
                      *rows[begin:begin + BATCH], "\\.",
                      f"INSERT INTO floor.event ({COLUMNS}) SELECT {COLUMNS} FROM incoming"
                      " ON CONFLICT DO NOTHING;\nCOMMIT;"]
        return "\n".join(parts) + "\nSELECT 'stored';\n"


def rows(bench):
    bench.need("psql", "mosquitto")
    count = 1 if bench.quick else 5
    with rig.office() as ours:
        ingest = ours.ingest()
        pids = {"database": rig.backend(ours), "ingest": ingest.pid, "broker": ours.mosquitto.pid}
        voice = rig.Voice(ours.port)
        # Warm up: the boxes exist, and prepared statements are compiled.
        voice.send(rig.messages(BOXES, 1, 1, 1))
        floor = Floor(ours)
        floor.store(1, 1)
        for name, together, key in [("one event a message", 1, "live"),
                                    ("64 events a message", 64, "late")]:
            first = 1000 if together == 1 else 10_000
            many = count if together == 1 else 16 * count
            used = {"new": [], "again": []}
            floors = {"new": [], "again": []}
            for turn in bench.repetitions(5, 2):
                begin = first + turn * many
                made = rig.messages(BOXES if together == 1 else BOXES // 16, begin, many, together)
                for kind in ("new", "again"):
                    before = {each: process.cpu(pid) for each, pid in pids.items()}
                    voice.send(made)
                    used[kind].append({each: (process.cpu(pid) - before[each])
                                       / sum(events for events, _ in made)
                                       for each, pid in pids.items()})
                    if together == 1:
                        floors[kind].append(floor.store(begin, many) / (BOXES * many))
            yield from of(bench, name, key, used, floors)
        voice.close()
        stored = int(ours.value("SELECT count(*) FROM fleet.event"))
        size = int(ours.value("""SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits
            WHERE inhparent = 'fleet.event'::regclass"""))
        bench.figures["bytes_row"] = size / stored
        yield Row("bytes of a row, with its indexes", "–", size / stored, unit="B",
                  shown=f"{stored:,} rows")


def of(bench, name, key, used, floors):
    """`used` has the CPU time of a row for each run and program, s."""
    for kind, what, must in [("new", "complete rows", 20_000), ("again", "duplicates", 40_000)]:
        database = [each["database"] for each in used[kind]]
        speed = Figure.of([1 / each for each in database])
        bench.figures[f"{key}_{kind}"] = {
            program: Figure.of([each[program] for each in used[kind]]).value
            for program in used[kind][0]}
        shown = ", ".join(f"{program} {plain(seconds * 1e6)} µs"
                          for program, seconds in bench.figures[f"{key}_{kind}"].items())
        # A box that catches up causes batches of little more than 64 events.
        yield Row(f"{what} a core-second of the database, {name}", "–", speed,
                  must if key == "live" else None, least=True, unit="rows", shown=f"a row: {shown}")
        if floors[kind]:
            yield Row(f"{what}, the database's CPU", "COPY + INSERT … ON CONFLICT, psql",
                      ratio(floors[kind], database), 0.5, 1, least=True,
                      shown="more is better: the floor keeps neither presence nor holes")
