"""An endless drive in circles of a kilometre's radius, past places with many fences each, as NMEA:
any number of crossings, at 20 m/s and a fix a second by the receiver's time."""

import datetime
import functools
import json
import math
import operator

LATITUDE, LONGITUDE, RADIUS, SPEED = 48.0, 11.0, 1000.0, 20.0
PLACES, FENCES = 20, 15
METRES_A_DEGREE = 111_195.0
# Each fence of each place is entered and left.
CROSSINGS_A_ROUND = 2 * PLACES * FENCES


def position(angle, radius=RADIUS):
    """Latitude and longitude in degrees, for an angle in rad from the north, clockwise."""
    latitude = LATITUDE + radius * math.cos(angle) / METRES_A_DEGREE
    return latitude, LONGITUDE + radius * math.sin(angle) / METRES_A_DEGREE / math.cos(
        math.radians(LATITUDE))


def fences():
    """GeoJSON of circles of 60, 65 … m around each place."""
    features = []
    for place in range(PLACES):
        latitude, longitude = position(2 * math.pi * place / PLACES)
        for number in range(FENCES):
            features.append({
                "type": "Feature", "id": f"place-{place:02}/{number:02}",
                "geometry": {"type": "Point", "coordinates": [longitude, latitude]},
                "properties": {"title": f'Gate "{number}", place {place}',
                               "radius": 60 + 5 * number}})
    return json.dumps({"type": "FeatureCollection", "features": features})


def epoch(number, begin):
    """The sentences of a fix, from 0 on; `begin` is a datetime."""
    # Begins half the distance between two places before the first one.
    angle = -math.pi / PLACES + SPEED / RADIUS * number
    latitude, longitude = position(angle)
    time = begin + datetime.timedelta(seconds=number)
    clock, date = time.strftime("%H%M%S.00"), time.strftime("%d%m%y")
    place = f"{degrees(latitude, 2)},N,{degrees(longitude, 3)},E"
    course = math.degrees(angle + math.pi / 2) % 360
    return (sentence(f"GPRMC,{clock},A,{place},{SPEED / 0.514444:.2f},{course:.2f},{date},,,A")
            + sentence(f"GPGGA,{clock},{place},1,10,0.8,300.0,M,48.0,M,,"))


def degrees(value, digits):
    """As NMEA writes it: degrees and minutes in one number."""
    whole = int(value)
    return f"{whole:0{digits}}{(value - whole) * 60:08.5f}"


def sentence(body):
    return b"$%b*%02X\r\n" % (body.encode(), functools.reduce(operator.xor, body.encode()))
