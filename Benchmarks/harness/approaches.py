"""Seeded approaches, as geofenced-roads writes them: a tree of legs with rivals, about 2 km long.

Along the drive they are as dense as the low places of São Paulo for a vehicle of 4.4 m, one in
4 km²; the others are anywhere."""

import array
import json
import math
import random

METRES_A_DEGREE = 111_195.0
CHAIN, BRANCHES, LEG = 20, 6, 100.0
ALONG, SPREAD = 400, 8000


def generate(data, count, path):
    source = random.Random(20261122)
    drive, fences = array.array("d"), array.array("d")
    for name, values in [("drive.bin", drive), ("fences.bin", fences)]:
        values.frombytes((data / name).read_bytes())
    with open(path, "w") as file:
        file.write('{"type":"FeatureCollection","features":[\n')
        for number in range(count):
            if number < ALONG:
                fix = 2 * source.randrange(len(drive) // 2)
                latitude = drive[fix] + source.gauss(0, SPREAD) / METRES_A_DEGREE
                longitude = drive[fix + 1] + source.gauss(0, SPREAD) / METRES_A_DEGREE
            else:
                fence = 3 * source.randrange(len(fences) // 3)
                latitude, longitude = fences[fence:fence + 2]
            feature = _hazard(source, f"h{number}", latitude, longitude)
            file.write(json.dumps(feature) + (",\n" if number + 1 < count else "\n"))
        file.write("]}\n")


def _hazard(source, name, latitude, longitude):
    def place(x, y):
        scale = METRES_A_DEGREE * math.cos(math.radians(latitude))
        return [round(longitude + x / scale, 7), round(latitude + y / METRES_A_DEGREE, 7)]

    def back(x, y, toward):
        """Where a leg begins that ends here."""
        return x - LEG * math.sin(toward), y - LEG * math.cos(toward)

    toward = source.uniform(0, 2 * math.pi)
    lines, legs, starts = [], [], []

    def add(following, toward, chance):
        end = starts[following][0] if following is not None else (0.0, 0.0)
        begin = back(*end, toward)
        to_go = LEG * (depth(following) + 1) if following is not None else 0
        lines.append([place(*begin), place(*end)])
        starts.append((begin, toward))
        legs.append({"end_m": to_go, "chance": round(chance, 3), "next": following,
                     "escape_m": 0.0, "road": "road"})

    def depth(leg):
        return round(legs[leg]["end_m"] / LEG)

    for index in range(CHAIN):
        toward += source.uniform(-0.2, 0.2)
        add(index - 1 if index else None, toward, 0.95 ** index)
    for _ in range(BRANCHES):
        leg = source.randrange(1, CHAIN)
        add(leg, starts[leg][1] + source.choice([-1.4, 1.4]), legs[leg]["chance"] / 4)
    rivals = [[place(x + 30, y), place(x + 30 + LEG * math.sin(way), y + LEG * math.cos(way))]
              for (x, y), way in starts[::2]]
    first = starts[0][1]
    section = [[place(0, 0), place(20 * math.sin(first), 20 * math.cos(first))]]
    return {"type": "Feature", "id": name,
            "geometry": {"type": "MultiLineString", "coordinates": lines},
            "properties": {"title": name, "approach": "corridor",
                           "limits": {"height_m": 3.8, "sign": "3.8", "basis": "signed"},
                           "legs": legs, "section": section, "rivals": rivals}}
