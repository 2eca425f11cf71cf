"""A database of an office, with a fleet in it, and a board before it: for the tests of the board."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Drives"))
import fleet  # noqa: E402

TENANT = fleet.TENANT
LOG = "5f0c2d9e-4b7a-4c0e-8d1f-3a6b9c2e5d71"


class Office(fleet.Fleet):
    """PostgreSQL with the schema, and events that SQL makes, as the ingest would store them."""

    def __init__(self, work, stack, programs):
        super().__init__(work, stack, programs)
        self.database()
        self.set_up()

    def take(self, rows):
        """Events as `fleet.take` takes them: a select of its columns, from tenant to details; and what
        an ingest says to boards then."""
        names = ("tenants boxes logs seqs prevs ats kinds fences titles stays inferreds "
                 "details").split()
        arrays = ", ".join(f"array_agg({name})" for name in names)
        self.ask(f"SELECT fleet.take({arrays}) FROM ({rows}) AS e ({', '.join(names)})")
        self.ask("NOTIFY fleet_changed")

    def event(self, box, seq, kind, fence, title, minutes, stay="NULL", details="{}",
              tenant=TENANT, inferred="false"):
        """One event, so many minutes ago."""
        title = "'" + title.replace("'", "''") + "'"
        self.take(f"SELECT '{tenant}', '{box}', '{LOG}'::uuid, {seq}::bigint, {seq - 1}::bigint, "
                  f"date_trunc('second', now()) - {minutes} * interval '1 minute', '{kind}', "
                  f"'{fence}', {title}, {stay}::float8, {inferred}, '{details}'::jsonb")

    def large(self, boxes, places):
        """A fleet, each of which is inside somewhere, and was somewhere else before."""
        self.take(f"""
            SELECT '{TENANT}', 'M-TR ' || lpad(b::text, 5, '0'), '{LOG}'::uuid, s::bigint, s::bigint - 1,
                now() - (b % 200 + (3 - s) * 100) * interval '1 minute',
                CASE s WHEN 2 THEN 'exit' ELSE 'enter' END,
                'place-' || ((b + CASE s WHEN 3 THEN 1 ELSE 0 END) % {places}),
                'Warehouse ' || ((b + CASE s WHEN 3 THEN 1 ELSE 0 END) % {places}),
                CASE s WHEN 2 THEN 6000::float8 END, false,
                jsonb_build_object('driver', 'driver ' || b, 'reason', 'certain')
            FROM generate_series(1, {boxes}) AS b, generate_series(1, 3) AS s""")
