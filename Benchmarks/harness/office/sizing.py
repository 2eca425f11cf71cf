"""The figures of docs/FLEET-SIZING.md: the needs of fleets of three sizes, calculated from the
measured figures. A figure that was not measured in this run is a dash."""

from ..report import plain, table

EVENTS_A_DAY, PEAK, DAYS = 500, 5, 90
SIZES = [10_000, 100_000, 1_000_000]
# Reconnects after a broker's restart are spread over this, s (ReconnectSpreadSec=).
SPREAD = 60
KEEP_ALIVE = 240
UNKNOWN = "–"


def shown(value, unit="", factor=1):
    return UNKNOWN if value is None else f"{plain(value * factor)}{unit}"


def of(figures, *names):
    """A figure, or None if it was not measured."""
    for name in names:
        figures = figures.get(name) if figures is not None else None
    return figures


def at_pace(figures, peak):
    """What an event costs the database at that many a second, s: a measured pace that is not above it."""
    paces = sorted((of(figures, "pace") or {}).items())
    slower = [cost for pace, cost in paces if pace <= peak * 1.01]
    return (slower or [None])[-1] and slower[-1] * 1e-6


def times(*factors):
    if any(factor is None for factor in factors):
        return None
    product = 1
    for factor in factors:
        product *= factor
    return product


def page(figures):
    """Two tables: the cost of one of each, and the needs of fleets."""
    handshake, connection = of(figures, "handshake"), of(figures, "bytes_connection")
    event, ping = of(figures, "broker_event"), of(figures, "broker_busy")
    row, database = of(figures, "bytes_row"), of(figures, "live_new", "database")
    again = of(figures, "live_again", "database")
    ingest, drain = of(figures, "live_new", "ingest"), of(figures, "drain")
    costs = [
        ["a TLS handshake, of a broker core", shown(handshake, " ms", 1e3)],
        ["a connection, memory of the broker", shown(connection, " kB", 1e-3)],
        ["an event through the broker, and its acknowledgement back", shown(event, " µs", 1e6)],
        ["the same on a busy broker", shown(ping, " µs", 1e6)],
        ["an event, of an ingest core", shown(ingest, " µs", 1e6)],
        ["an event, of a database core", shown(database, " µs", 1e6)],
        ["the same when it is there already", shown(again, " µs", 1e6)],
        ["a row with its indexes, on disk", shown(row, " B")],
        ["one box that catches up", shown(drain, " events/s")],
        ["crossing → row, p99", shown(of(figures, "latency"), " s")],
        ["visits of a place and day", shown(of(figures, "report"), " ms")],
    ]
    fleets = []
    for boxes in SIZES:
        peak = boxes * EVENTS_A_DAY / 86_400 * PEAK
        kept = times(boxes * EVENTS_A_DAY * DAYS, row)
        pings = times(boxes / KEEP_ALIVE, ping)
        brokers = None if event is None or pings is None else event * peak + pings
        day = times(boxes * EVENTS_A_DAY, database)
        fleets.append([
            f"{boxes:,}".replace(",", " "), plain(peak), shown(brokers, " cores"),
            shown(times(connection, boxes), " GB", 1e-9),
            shown(times(handshake, boxes / SPREAD), " cores"),
            shown(times(ingest, peak), " cores"),
            shown(times(at_pace(figures, peak) or database, peak), " cores"),
            shown(times(kept, 1), " GB", 1e-9), shown(day, " min", 1 / 60)])
    return "\n".join([
        "What one costs:", "", table(costs, ["what", "measured"]), "",
        f"Fleets, at {EVENTS_A_DAY} events of a box in a day, {PEAK} times as many when most come, "
        f"{DAYS} days kept:", "",
        table(fleets, ["boxes", "events/s at the peak", "brokers: events and keep-alives",
                       "brokers: memory", f"brokers: all come back in {SPREAD} s", "ingests",
                       "database", f"{DAYS} days on disk",
                       "a day's events after an outage, of a database core"]), ""])
