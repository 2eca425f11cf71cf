"""Servers that answer the query for the nearest 20: private instances, on their own sockets."""

import array
import os
import pathlib
import pwd
import random
import socket
import subprocess
import time

from . import process
from .bench import Skipped, log
from .figure import percentile

QUERIES = 2000
# The radius of the nearest 20 in most of the continent, m.
REACH = 12_000


def places():
    """Anywhere among the fences, seeded."""
    source = random.Random(5)
    return [(source.uniform(26, 48), source.uniform(-123, -68)) for _ in range(QUERIES)]


def circles(bench):
    values = array.array("d")
    with open(bench.data / "fences.bin", "rb") as file:
        values.frombytes(file.read())
    return zip(values[::3], values[1::3], values[2::3])


class Redis:
    """Stores only the centres: circles have no radius there."""

    def __init__(self, bench):
        bench.need("redis-server", "redis-cli")
        self.directory = process.Directory(bench.work)
        path = self.directory / "redis"
        self.program = process.start([
            "redis-server", "--port", "0", "--unixsocket", path, "--save", "", "--appendonly",
            "no", "--dir", self.directory.path, "--daemonize", "no"])
        process.until(path.exists, 20, "Redis")
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(str(path))
        self.replies = self.connection.makefile("rb")
        log("loading Redis")
        self._load(bench)

    def _load(self, bench):
        waiting = []
        for number, (latitude, longitude, _) in enumerate(circles(bench), 1):
            waiting += [repr(longitude), repr(latitude), str(number)]
            if len(waiting) == 3000:
                self.ask("GEOADD", "fences", *waiting)
                waiting = []
        if waiting:
            self.ask("GEOADD", "fences", *waiting)

    def ask(self, *words):
        request = b"".join(b"$%d\r\n%s\r\n" % (len(word), word)
                           for word in (str(word).encode() for word in words))
        self.connection.sendall(b"*%d\r\n%s" % (len(words), request))
        return self._reply()

    def _reply(self):
        # With minimal cost of the language: buffered, and not processed further.
        line = self.replies.readline()
        kind, rest = line[:1], line[1:-2]
        if kind == b"*":
            return [self._reply() for _ in range(int(rest))]
        if kind == b"$":
            return self.replies.read(int(rest) + 2)[:-2]
        if kind == b"-":
            raise RuntimeError(f"Redis: {rest.decode()}")
        return int(rest) if kind == b":" else rest

    def nearest(self):
        """Median µs of the answer to a client, and of the command in the server alone."""
        delays = []
        for latitude, longitude in places():
            reach, found = REACH, []
            begin = time.perf_counter()
            while len(found) < 20:
                found = self.ask("GEOSEARCH", "fences", "FROMLONLAT", longitude, latitude,
                                 "BYRADIUS", reach, "m", "ASC", "COUNT", 20)
                reach *= 2
            delays.append((time.perf_counter() - begin) * 1e6)
        text = self.ask("INFO", "latencystats").decode()
        for line in text.splitlines():
            if line.startswith("latency_percentiles_usec_geosearch"):
                return percentile(delays, 0.5), float(line.split("p50=")[1].split(",")[0])
        raise RuntimeError("Redis keeps no latencies")

    def stop(self):
        self.connection.close()
        process.stop(self.program)


class PostGIS:
    """A table of points with a GiST index, queried in degrees, which is the least work."""

    TABLE = """
        create extension postgis;
        create unlogged table fences(id integer primary key, radius real,
            place geometry(point, 4326));
        create unlogged table raw(id integer, lat float, lon float, radius float, name text);
    """
    FILL = """
        insert into fences select id, radius, ST_SetSRID(ST_MakePoint(lon, lat), 4326) from raw;
        create index on fences using gist(place);
        analyze fences;
    """
    # Timed in the server: neither socket nor parser counts.
    ASK = """
        create unlogged table question(place geometry);
        insert into question values %s;
        create temp table answer(us float);
        do $$
        declare asked geometry; began timestamptz; pass integer;
        begin
            for pass in 1..2 loop
                for asked in select place from question loop
                    began := clock_timestamp();
                    perform id from fences order by place <-> asked limit 20;
                    if pass = 2 then
                        insert into answer
                            values (extract(epoch from clock_timestamp() - began) * 1e6);
                    end if;
                end loop;
            end loop;
        end $$;
        select us from answer;
    """

    def __init__(self, bench):
        bench.need("psql")
        programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        extension = list(pathlib.Path("/usr/share/postgresql").glob("*/extension/postgis.control"))
        if not programs or not extension:
            raise Skipped("PostGIS is not here")
        self.folder = programs[-1].parent
        # It refuses to run as root, and its user may not have access to our directories.
        self.directory = process.Directory("/tmp", "geofenced-bench-")
        self.user = None
        if os.getuid() == 0:
            self.user = "postgres"
            account = pwd.getpwnam(self.user)
            os.chown(self.directory.path, account.pw_uid, account.pw_gid)
        data = self.directory / "data"
        process.run([*self._as_user(), self.folder / "initdb", "-D", data, "-A", "trust", "-U",
                     "bench"], cwd="/")
        self.program = process.start(
            [*self._as_user(), self.folder / "postgres", "-D", data, "-k", self.directory.path,
             "-c", "listen_addresses=", "-c", "shared_buffers=512MB", "-c", "fsync=off",
             "-c", "maintenance_work_mem=512MB", "-c", "max_wal_size=4GB"], cwd="/")
        process.until((self.directory / ".s.PGSQL.5432").exists, 60, "PostgreSQL")
        process.until(self._answers, 60, "PostgreSQL")
        log("loading PostGIS")
        self.sql(self.TABLE)
        with open(bench.data / "fences.csv") as table:
            process.run([*self._psql(), "-c", "copy raw from stdin csv header"], stdin=table)
        self.sql(self.FILL)

    def _as_user(self):
        return ["runuser", "-u", self.user, "--"] if self.user else []

    def _psql(self):
        return ["psql", "-h", self.directory.path, "-U", "bench", "-d", "postgres", "-X", "-q",
                "-A", "-t", "-v", "ON_ERROR_STOP=1"]

    def _answers(self):
        return subprocess.run([str(word) for word in self._psql()] + ["-c", "select 1"],
                              capture_output=True).returncode == 0

    def sql(self, text):
        script = self.directory / "script.sql"
        script.write_text(text)
        return process.run([*self._psql(), "-f", script])

    # The same by pgbench, a client in C, with the statement prepared.
    CLIENT = """
\\set lat random(26000000, 48000000)
\\set lon random(-123000000, -68000000)
select id from fences order by place <-> ST_SetSRID(ST_MakePoint(
    (:lon)::float / 1e6, (:lat)::float / 1e6), 4326) limit 20;
"""

    def nearest(self):
        """Median µs of the answer to a client, and of the query in the server alone."""
        return self._by_client(), self._in_server()

    def _by_client(self):
        script, log = self.directory / "client.sql", self.directory / "latency"
        script.write_text(self.CLIENT)
        for old in self.directory.path.glob("latency.*"):
            old.unlink()
        process.run([self.folder / "pgbench", "-h", self.directory.path, "-U", "bench", "-n", "-M",
                     "prepared", "-t", QUERIES, "-f", script, "-l", f"--log-prefix={log}",
                     "postgres"])
        lines = "".join(path.read_text() for path in self.directory.path.glob("latency.*"))
        return percentile([float(line.split()[2]) for line in lines.splitlines()], 0.5)

    def _in_server(self):
        rows = ",".join(f"(ST_SetSRID(ST_MakePoint({longitude},{latitude}),4326))"
                        for latitude, longitude in places())
        answer = [float(line) for line in self.sql(self.ASK % rows).split()]
        self.sql("drop table question")
        return percentile(answer, 0.5)

    def stop(self):
        process.stop(self.program)
        self.directory.remove()
