#!/usr/bin/env python3
"""Opening hours as another library reads them: opening-hours-py, and Python's zoneinfo.

Each line of the input: schedule, time zone, first second since 1970, step in seconds, number of
steps, with tabs between them. Each line of the output: 1 or 0 for every step."""

import datetime
import sys
import zoneinfo

import opening_hours

for line in sys.stdin:
    text, name, first, step, count = line.rstrip("\n").split("\t")
    zone = zoneinfo.ZoneInfo(name)
    hours = opening_hours.OpeningHours(text)
    states = []
    for index in range(int(count)):
        moment = datetime.datetime.fromtimestamp(int(first) + index * int(step), zone)
        # By local time: the library's own zones are not used.
        states.append("1" if hours.is_open(moment.replace(tzinfo=None)) else "0")
    print("".join(states))
