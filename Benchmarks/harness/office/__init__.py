"""The measures of `make bench-fleet`, on the fleet of Tests/Drives/fleet.py; each function returns
rows, and stores in `bench.figures` the input of the page on sizes."""

from . import boxes, pace, rows, uplink, visits

MEASURES = {
    "rows": rows.rows,
    "pace": pace.pace,
    "broker": boxes.broker,
    "latency": uplink.latency,
    "idle": uplink.idle,
    "offline": uplink.offline,
    "visits": visits.visits,
}
