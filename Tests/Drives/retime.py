"""A recorded drive, as NMEA or GPX, moved in time."""

import datetime
import functools
import gzip
import operator
import re

# The field with the time of day; RMC's date is its ninth.
TIME_FIELDS = {b"RMC": 1, b"GGA": 1, b"GLL": 5}
DATE_FIELD = 9
GPX_TIME = re.compile(rb"<time>(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)")
GPX_FORMAT = "%Y-%m-%dT%H:%M:%S"


def ending(path, end):
    """The bytes of the recording, with its last time at `end`, which is UTC and has no fraction."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    end = end.replace(tzinfo=None)
    if b"<gpx" in data:
        shift = end - max(gpx_time(found) for found in GPX_TIME.finditer(data))
        return GPX_TIME.sub(lambda found: b"<time>%b" % (gpx_time(found) + shift).strftime(
            GPX_FORMAT).encode(), data)
    lines = data.splitlines()
    shift = end - max(filter(None, map(nmea_time, lines)))
    return b"".join(moved(line, shift) + b"\r\n" for line in lines)


def gpx_time(found):
    return datetime.datetime.strptime(found[1].decode(), GPX_FORMAT)


def nmea_time(line):
    """Date and time of an RMC; None of other lines, and where one of them is missing."""
    fields = line.partition(b"*")[0].split(b",")
    if fields[0][3:] != b"RMC" or len(fields) <= DATE_FIELD or not (fields[1] and fields[DATE_FIELD]):
        return None
    text = (fields[DATE_FIELD] + fields[1][:6]).decode()
    return datetime.datetime.strptime(text, "%d%m%y%H%M%S")


def moved(line, shift):
    """A sentence, or what is none, with its time later by `shift`, of whole seconds."""
    if not line.startswith(b"$") or b"*" not in line:
        return line
    fields = line[1:].partition(b"*")[0].split(b",")
    field = TIME_FIELDS.get(fields[0][2:])
    if field is None or not fields[field]:
        return line
    when = nmea_time(line)
    if when:
        fields[DATE_FIELD] = (when + shift).strftime("%d%m%y").encode()
    else:
        when = datetime.datetime.strptime(fields[field][:6].decode(), "%H%M%S")
    fields[field] = (when + shift).strftime("%H%M%S").encode() + fields[field][6:]
    body = b",".join(fields)
    return b"$%b*%02X" % (body, functools.reduce(operator.xor, body))
