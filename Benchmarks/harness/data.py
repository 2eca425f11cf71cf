"""The seeded data, used when the yardsticks with their own are not available: same kind and names.

fences.bin      latitude, longitude, radius of each fence as doubles
fences.geojson  a Feature on each line
fences.csv      id,lat,lon,radius,name
drive.bin       latitude, longitude of each fix as doubles
drive.tpv       the same as gpsd sends it, one a second """

import array
import datetime
import itertools
import math
import random

SPREAD, CITIES, IN_CITIES, FIXES = 1_000_000, 50, 100_000, 10_000
METRES_A_DEGREE = 111_195.0
SPEED = 25.0


def generate(folder):
    folder.mkdir(parents=True, exist_ok=True)
    source = random.Random(20240607)
    cities = [(source.uniform(30, 45), source.uniform(-120, -75)) for _ in range(CITIES)]
    # Two neighbouring ones, 38 km apart: the drive goes between them.
    cities[:2] = [(39.0, -95.0), (39.2, -94.65)]
    fences = [_circle(source, source.uniform(25, 49), source.uniform(-124, -67))
              for _ in range(SPREAD)]
    for _ in range(IN_CITIES):
        fences.append(_circle(source, *_near(source, cities[source.randrange(CITIES)], 8000)))
    source.shuffle(fences)
    _write_fences(folder, fences)
    _write_drive(folder, list(itertools.islice(_drive(cities), FIXES)))


def _near(source, city, sigma):
    latitude, longitude = city
    return (latitude + source.gauss(0, sigma) / METRES_A_DEGREE,
            longitude + source.gauss(0, sigma)
            / (METRES_A_DEGREE * math.cos(math.radians(latitude))))


def _circle(source, latitude, longitude):
    radius = min(max(source.lognormvariate(math.log(150), 0.6), 30), 2000)
    return round(latitude, 6), round(longitude, 6), round(radius, 1)


def _write_fences(folder, fences):
    with open(folder / "fences.bin", "wb") as file:
        array.array("d", itertools.chain.from_iterable(fences)).tofile(file)
    with open(folder / "fences.csv", "w") as csv, open(folder / "fences.geojson", "w") as geojson:
        csv.write("id,lat,lon,radius,name\n")
        geojson.write('{"type":"FeatureCollection","features":[\n')
        for number, (latitude, longitude, radius) in enumerate(fences, 1):
            csv.write(f"{number},{latitude:.6f},{longitude:.6f},{radius:.1f},site-{number}\n")
            geojson.write(
                f'{{"type":"Feature","id":{number},"properties":{{"name":"site-{number}",'
                f'"radius":{radius:.1f}}},"geometry":{{"type":"Point","coordinates":'
                f'[{longitude:.6f},{latitude:.6f}]}}}}{"," if number < len(fences) else ""}\n')
        geojson.write("]}\n")


def _drive(cities):
    """Latitude, longitude, course: from place to place, six in one city and six in the other."""
    source = random.Random(7)
    latitude, longitude = cities[0]
    course = 0.0
    for leg in itertools.count():
        target = _near(source, cities[leg // 6 % 2], 6000)
        while True:
            north = (target[0] - latitude) * METRES_A_DEGREE
            scale = METRES_A_DEGREE * math.cos(math.radians(latitude))
            east = (target[1] - longitude) * scale
            left = math.hypot(east, north)
            if left <= SPEED:
                latitude, longitude = target
                yield latitude, longitude, course
                break
            latitude += SPEED * north / left / METRES_A_DEGREE
            longitude += SPEED * east / left / scale
            course = math.degrees(math.atan2(east, north)) % 360
            yield latitude, longitude, course


def _write_drive(folder, fixes):
    with open(folder / "drive.bin", "wb") as file:
        array.array("d", itertools.chain.from_iterable(fix[:2] for fix in fixes)).tofile(file)
    begin = datetime.datetime(2026, 6, 1, 8)
    with open(folder / "drive.tpv", "w", newline="") as tpv, \
            open(folder / "drive.nmea", "w", newline="") as nmea:
        for second, fix in enumerate(fixes):
            time = begin + datetime.timedelta(seconds=second)
            tpv.write(tpv_line(time, *fix))
            nmea.write(_epoch(time, *fix))


def tpv_line(time, latitude, longitude, course, speed=SPEED):
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"
    return (
        f'{{"class":"TPV","device":"/dev/ttyS0","mode":3,"time":"{stamp}","ept":0.005,'
        f'"lat":{latitude:.9f},"lon":{longitude:.9f},"altHAE":220.0000,"altMSL":250.0000,'
        f'"alt":250.0000,"epx":9.123,"epy":10.456,"epv":29.900,"track":{course:.4f},'
        f'"magtrack":{(course + 2.1) % 360:.4f},"magvar":2.1,"speed":{speed:.3f},"climb":0.000,'
        f'"eps":0.12,"epc":0.15,"geoidSep":-30.000,"eph":17.100,"sep":24.700}}\r\n')


def _epoch(time, latitude, longitude, course):
    clock = time.strftime("%H%M%S.00")
    place = (f"{_minutes(latitude, 2)},{'N' if latitude >= 0 else 'S'},"
             f"{_minutes(longitude, 3)},{'E' if longitude >= 0 else 'W'}")
    return "".join(map(_sentence, [
        f"GPRMC,{clock},A,{place},{SPEED * 3600 / 1852:.2f},{course:.2f},{time:%d%m%y},,,A",
        f"GPGGA,{clock},{place},1,09,0.9,250.0,M,-30.0,M,,",
        "GPGSA,A,3,04,05,09,12,17,19,24,25,28,,,,1.6,0.9,1.3"]))


def _minutes(degrees, width):
    whole, rest = divmod(abs(degrees), 1)
    return f"{int(whole):0{width}d}{rest * 60:08.5f}"


def _sentence(text):
    check = 0
    for letter in text:
        check ^= ord(letter)
    return f"${text}*{check:02X}\r\n"


# Further files that both kinds of data need.

def derive(folder):
    """The table with the header that our reader requires, and thinned drives for the others."""
    table = folder / "fences-ours.csv"
    if not table.exists():
        with open(folder / "fences.csv") as source, open(table, "w") as target:
            next(source)
            target.write("id,latitude,longitude,radius,name\n")
            target.writelines(source)


def first(folder, count, suffix):
    """A file with the first `many` fences of the whole."""
    path = folder / f"fences-{count}.{suffix}"
    if path.exists():
        return path
    with open(folder / f"fences.{suffix}") as source:
        lines = [line.rstrip("\n") for line in itertools.islice(source, count + 1)]
    if suffix == "geojson":
        lines[-1] = lines[-1].rstrip(",")
        lines.append("]}")
    path.write_text("\n".join(lines) + "\n")
    return path


def choose(folder, numbers, path):
    """Writes the GeoJSON of the fences with these numbers; each is on the line of its number."""
    wanted = set(numbers)
    with open(folder / "fences.geojson") as source:
        lines = [line.rstrip("\n").rstrip(",")
                 for number, line in enumerate(source) if number in wanted]
    path.write_text('{"type":"FeatureCollection","features":[\n' + ",\n".join(lines) + "\n]}\n")
