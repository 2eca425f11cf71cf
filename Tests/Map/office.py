"""A database of an office, with a fleet in it, and a board before it: for the tests of the board."""

import math
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

    def position(self, box, latitude, longitude, minutes, tenant=TENANT):
        """Where a box that is there says that it was so many minutes ago."""
        self.ask(f"SELECT fleet.note_positions('{{{tenant}}}', '{{{box}}}', ARRAY[now() - {minutes} * "
                 f"interval '1 minute'], '{{{latitude}}}', '{{{longitude}}}', '{{5}}', '{{20}}', '{{90}}')")
        self.ask("NOTIFY fleet_changed")

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

    def large_areas(self, places):
        """Areas of the places of `large`, over a country: circles, and outlines of 400 corners."""
        features = []
        for place in range(places):
            middle = 7 + place % 40 * 0.15, 48 + place // 40 * 0.18
            ring = [[middle[0] + 0.02 * math.cos(turn * math.pi / 200),
                     middle[1] + 0.013 * math.sin(turn * math.pi / 200)] for turn in range(401)]
            features.append(
                circle(f"place-{place}", f"Warehouse {place}", *middle, 1200) if place % 2 else
                area(f"place-{place}", f"Warehouse {place}", ring))
        self.publish(features)


def circle(fence, title, longitude, latitude, radius):
    return {"type": "Feature", "id": fence, "properties": {"title": title, "radius": radius},
            "geometry": {"type": "Point", "coordinates": [longitude, latitude]}}


def area(fence, title, ring):
    return {"type": "Feature", "id": fence, "properties": {"title": title},
            "geometry": {"type": "Polygon", "coordinates": [ring]}}
