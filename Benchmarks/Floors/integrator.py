#!/usr/bin/python3
"""integrator.py DATABASE PORT FIXES: a script written in an afternoon with python3-gps and SQLite.

Compares each fix with the circles that contain it. No error, no hysteresis, no path, no memory.
"""

import math
import sqlite3
import sys

import gps

EARTH_RADIUS = 6371008.8
QUERY = """
    select f.id, f.lat, f.lon, f.radius from rt cross join fences f on f.id = rt.id
    where rt.maxlat >= ? and rt.minlat <= ? and rt.maxlon >= ? and rt.minlon <= ?
"""


def haversine(lat1, lon1, lat2, lon2):
    s = math.sin(math.radians(lat2 - lat1) / 2)
    t = math.sin(math.radians(lon2 - lon1) / 2)
    h = s * s + math.cos(math.radians(lat1)) * math.cos(math.radians(lat2)) * t * t
    return 2 * EARTH_RADIUS * math.asin(math.sqrt(h))


def main():
    database, port, wanted = sys.argv[1], sys.argv[2], int(sys.argv[3])
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    session = gps.gps(host="127.0.0.1", port=port, mode=gps.WATCH_ENABLE)
    inside, events = set(), 0
    while wanted and session.read() == 0:
        if session.data.get("class") != "TPV" or not session.valid & gps.LATLON_SET:
            continue
        wanted -= 1
        lat, lon = session.fix.latitude, session.fix.longitude
        here = {fence for fence, lat2, lon2, radius
                in connection.execute(QUERY, (lat, lat, lon, lon))
                if haversine(lat, lon, lat2, lon2) <= radius}
        events += len(here ^ inside)
        inside = here
    print(f"events={events}")
    # Stays alive so that its resource usage can be read.
    session.read()


main()
