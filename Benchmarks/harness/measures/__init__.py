"""One function for each row, or few rows, of the table; each returns rows."""

from . import (
    beacons, engine, feed, growth, hazards, hindered, live, maps, rest, small, store, sync)

MEASURES = {
    "engine": engine.engine,
    "daemon": feed.daemon,
    "parse": feed.parse,
    "events": engine.events,
    "gpsd": feed.real_gpsd,
    "recentre": engine.recentre,
    "nearest": store.nearest,
    "import": store.imports,
    "live": live.one_hertz,
    "rest": rest.asleep,
    "latency": live.latency,
    "start": small.start,
    "instructions": small.instructions,
    "inside": engine.inside,
    "refusing": hindered.refusing,
    "slow-core": hindered.slow_core,
    "approaches": hazards.approaches,
    "beacons": beacons.beacons,
    "binary": small.binary,
    "growth": growth.growth,
    "sync": sync.sync,
    "map": maps.maps,
}
