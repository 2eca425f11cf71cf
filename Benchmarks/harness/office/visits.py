"""The time of the database for the visits of a place."""

import datetime
import re
import shutil

from .. import process
from ..bench import log
from ..figure import Figure, percentile
from ..report import Row, plain
from . import rig

ROWS, PLACES, BOXES, DAYS = 10_000_000, 1000, 10_000, 90
# Bytes of a row with its indexes, and of the write-ahead log for it.
BYTES = 600
FILL_BOXES = """
    INSERT INTO fleet.box (tenant, name)
        SELECT t.id, 'truck' || n FROM fleet.tenant t, generate_series(1, {boxes}) AS n
"""
# Evenly distributed: all places have the same visits a day, all boxes the same events.
FILL = """
    INSERT INTO fleet.event (tenant, box, log, seq, at, kind, fence, title, stay, inferred, details)
        SELECT b.tenant, b.id, md5(b.id::text)::uuid, n,
            now() - {days} * interval '1 day' * random(),
            CASE WHEN n % 2 = 0 THEN 'enter' ELSE 'exit' END, 'wh/WDF' || n / 2 % {places},
            'SAP SE WDF01', CASE WHEN n % 2 = 1 THEN random() * interval '3 hours' END, false,
            '{{"reason":"certain","presence":"outside","distance":80.0,"error":34.2}}'
        FROM generate_series({first}, {last}) AS n
        JOIN fleet.box b ON b.name = 'truck' || (n / 2 / {places} % {boxes} + 1)
"""
# Each step of the one statement of a report: parse, bind (which plans it) and execute.
DURATION = re.compile(r"duration: ([0-9.]+) ms  (?:parse|bind|execute)")


def visits(bench):
    bench.need("psql")
    rows = ROWS // 10 if bench.quick else ROWS
    while shutil.disk_usage("/tmp").free < rows * BYTES * 2:
        rows //= 10
    with rig.office("log_min_duration_statement=0", "synchronous_commit=off") as ours:
        log(f"filling {rows:,} rows")
        ours.ask(FILL_BOXES.format(boxes=BOXES))
        part = rows // 20
        for first in range(0, rows, part):
            ours.ask(FILL.format(boxes=BOXES, places=PLACES, days=DAYS - 1, first=first,
                                 last=first + part - 1))
        ours.ask("VACUUM ANALYZE fleet.event")
        ours.ask("ANALYZE fleet.box")
        today = datetime.datetime.now(datetime.timezone.utc).date()
        delays, counts, wide = [], [], []
        for turn in bench.repetitions(50, 10):
            place = f"wh/WDF{turn * 37 % PLACES}"
            day = today - datetime.timedelta(days=turn * 7 % (DAYS - 10) + 2)
            took, found = report(ours, place, day, day + datetime.timedelta(days=1))
            delays.append(took)
            counts.append(found)
            wide.append(report(ours, place, today - datetime.timedelta(days=DAYS))[0])
        bench.figures["report"] = percentile(delays, 0.5)
        yield Row(f"visits of a place and day, {rows:,} rows", "–", Figure.of_parts(delays), 20,
                  unit="ms", shown="in the database, with planning; p95 "
                  f"{plain(percentile(delays, 0.95))} ms, {plain(sum(counts) / len(counts))} "
                  f"visits; all days of the place {plain(percentile(wide, 0.5))} ms")


def report(ours, place, since, until=None):
    """The database's time for a report, ms, and how many visits it has."""
    before = ours.postgres.log.stat().st_size
    lines = process.run([
        ours.programs / "geofenced-ingest", "report", "--database", ours.address, "--tenant",
        rig.fleet.TENANT, "--place", place, "--since", since, "--format", "json",
        *(["--until", until] if until else [])]).splitlines()
    with ours.postgres.log.open("rb") as said:
        said.seek(before)
        times = [float(time) for time in DURATION.findall(said.read().decode(errors="replace"))]
    if len(times) < 3:
        raise RuntimeError(f"the database has logged only {times}")
    return sum(times), len(lines)
