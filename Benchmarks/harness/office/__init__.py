"""What `make bench-fleet` measures, on the fleet of Tests/Drives/fleet.py; each function returns
rows, and notes in `bench.figures` what the page on sizes is reckoned from."""

from . import boxes, rows, uplink, visits

MEASURES = {
    "rows": rows.rows,
    "broker": boxes.broker,
    "latency": uplink.latency,
    "idle": uplink.idle,
    "offline": uplink.offline,
    "visits": visits.visits,
}
