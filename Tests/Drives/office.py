"""The table of an office, compared with the log of its only box. For `make test-fleet-faults` and
`WHAT=office make test-powercut`."""


def count(ours):
    """The number of rows of the table of a fleet.Fleet."""
    return int(ours.value("SELECT count(*) FROM fleet.event"))


def rows(ours, box=None):
    """The rows of the table, those of one box if it is given, in the form of row_of()."""
    of_box = f"WHERE box = (SELECT id FROM fleet.box WHERE name = '{box}')" if box else ""
    text = ours.ask(
        f"""SELECT seq, kind, fence, title, to_char(at AT TIME ZONE 'UTC',
            'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), extract(epoch FROM stay)::float8
        FROM fleet.event {of_box} ORDER BY seq""", "-A", "-t", "-F", "\t")
    return [tuple(line.split("\t")) for line in text.splitlines()]


def row_of(event):
    """An event of `geofencectl events --json` in the form of rows()."""
    stay = event.get("stay_s")
    return (str(event["seq"]), event["kind"], event.get("fence") or "", event.get("title") or "",
            event["time"], "" if stay is None else stay)


def same(row, event):
    """Compares; a stay is sent in ms."""
    wanted = row_of(event)
    if row[:5] != wanted[:5] or (row[5] == "") != (wanted[5] == ""):
        return False
    return row[5] == "" or abs(float(row[5]) - wanted[5]) < 0.002


def check(ours, log):
    """Names everything that is not as it should be. `log`: the events that the office should
    have, those that were announced."""
    stored = rows(ours)
    faults = [f"the log has {event}, the table {row}"
              for row, event in zip(stored, log) if not same(row, event)][:5]
    if len(stored) != len(log):
        faults.append(f"the log has {len(log)} events, the table {len(stored)}")
    inside = {}
    for event in log:
        if event["kind"] in ("enter", "exit", "initial"):
            inside[event["fence"]] = event["kind"] != "exit"
    # Where the box is not is forgotten after the retention, by the time of the receiver.
    told = set(ours.ask("SELECT fence FROM fleet.presence WHERE inside", "-A", "-t").splitlines())
    if told != (wanted := {fence for fence, is_inside in inside.items() if is_inside}):
        faults.append(f"who is where: {told ^ wanted}")
    for what, sql, wanted in [
            ("doubles", "SELECT count(*) - count(DISTINCT (box, log, seq)) FROM fleet.event", "0"),
            ("logs", "SELECT count(*) FROM fleet.box_log", "1"),
            ("missing", "SELECT string_agg(missing::text, ' ') FROM fleet.box_log", "{}"),
            ("lost", "SELECT string_agg(lost::text, ' ') FROM fleet.box_log", "{}"),
            ("set aside", "SELECT count(*) FROM fleet.rejected", "0")]:
        if (found := ours.value(sql)) != wanted:
            faults.append(f"{what}: {found} instead of {wanted}")
    return faults
