# SPDX-License-Identifier: Apache-2.0
"""A box on a private bus, a broker, and a database, for programs of others to look at."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(what, condition, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"after {seconds} s: {what}")


def connects(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


class Bench:
    """Everything is in a directory that goes away; what was started ends with it."""

    def __init__(self, programs):
        self.programs = pathlib.Path(programs)
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="strangers."))
        self.path.chmod(0o777)
        self.started = []
        self.bus = f"unix:path={self.path}/bus"
        self.port = 0
        self.database = ""

    def close(self):
        for process in reversed(self.started):
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        shutil.rmtree(self.path, ignore_errors=True)

    def file(self, name, text=None):
        path = self.path / name
        if text is not None:
            path.write_text(text)
        return path

    def start(self, name, *command, **environment):
        log = open(self.path / f"{name}.log", "wb")
        process = subprocess.Popen(
            [str(word) for word in command], stdout=log, stderr=subprocess.STDOUT,
            env={**os.environ, **environment})
        self.started.append(process)
        return process

    def log(self, name):
        return (self.path / f"{name}.log").read_text(errors="replace")

    def run(self, *command, status=0, stdin=None):
        done = subprocess.run(
            [str(word) for word in command], input=stdin, capture_output=True, text=True,
            timeout=120)
        assert status is None or done.returncode == status, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def program(self, name):
        return self.programs / name

    def ctl(self, *arguments, **options):
        return self.run(self.program("geofencectl"), "--bus", self.bus, *arguments, **options)

    # The box

    FENCES = """{"type":"FeatureCollection","features":[
    {"type":"Feature","id":"depot","geometry":{"type":"Point","coordinates":[11.0,48.0]},
     "properties":{"title":"Depot <1>","radius":120}},
    {"type":"Feature","id":"yard","geometry":{"type":"Polygon","coordinates":
     [[[11.010,47.998],[11.018,47.998],[11.018,48.002],[11.010,48.002],[11.010,47.998]]]},
     "properties":{"title":"Yard"}},
    {"type":"Feature","id":"lane","geometry":{"type":"LineString","coordinates":
     [[11.03,47.99],[11.03,48.01]]},"properties":{"title":"Lane","width":40}}]}"""

    def drive(self):
        """At 20 m/s eastwards from the depot, a fix a second, to the yard, where it stays."""
        points = "".join(
            f'<trkpt lat="48.0" lon="{11 + min(east, 1000) / 74600:.7f}">'
            f"<time>2026-11-20T10:{second // 60:02}:{second % 60:02}Z</time></trkpt>"
            for second, east in enumerate([0] * 10 + list(range(20, 1400, 20))))
        return self.file(
            "drive.gpx",
            '<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>'
            f"{points}</trkseg></trk></gpx>")

    def box(self, events=3):
        self.start(
            "bus", "dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={self.bus}")
        wait_for("a bus", lambda: (self.path / "bus").exists())
        for name in ["state", "run", "fences.d"]:
            (self.path / name).mkdir()
        self.file("fences.d/places.geojson", self.FENCES)
        # fences.d is looked for beside it.
        conf = self.file("geofenced.conf", "")
        self.start(
            "daemon", self.program("geofenced"), "--config", conf, "--source",
            f"replay:{self.drive()}?rate=20", "--bus", self.bus, "--state-dir", self.path / "state",
            RUNTIME_DIRECTORY=str(self.path / "run"))
        wait_for("the drive", lambda: self.events() >= events, 60)

    def events(self):
        text = self.run(
            self.program("geofencectl"), "--bus", self.bus, "events", "--json", status=None)
        return len(text.splitlines())

    # The broker

    def broker(self):
        self.port = free_port()
        user = "user root\n" if os.geteuid() == 0 else ""
        conf = self.file(
            "mosquitto.conf", f"listener {self.port} 127.0.0.1\nallow_anonymous true\n{user}")
        self.start("mosquitto", "mosquitto", "-c", conf)
        wait_for("a broker", lambda: connects(self.port))

    def uplink(self, name, lines, url=None):
        conf = self.file(
            f"{name}.conf",
            f"[Uplink]\nURL={url or f'mqtt://127.0.0.1:{self.port}'}\nTenant=acme\nBox={name}\n"
            f"From=oldest\n{lines}\n")
        self.start(
            name, self.program("geofenced-uplink"), "--bus", self.bus, "--config", conf, name,
            CREDENTIALS_DIRECTORY=str(self.path))

    # The database

    def office(self):
        data, socket_path = self.path / "pg", self.path / "pgsocket"
        socket_path.mkdir()
        socket_path.chmod(0o777)
        binaries = "/usr/lib/postgresql/15/bin"
        other = []
        if os.geteuid() == 0:
            other = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "--"]
        self.run(*other, f"{binaries}/initdb", "-D", data, "-U", "fleet", "-A", "trust", "--no-sync")
        self.start(
            "postgres", *other, f"{binaries}/postgres", "-D", data, "-k", socket_path, "-h", "",
            "-c", "fsync=off")
        self.database = f"host={socket_path} user=fleet dbname=postgres"
        wait_for(
            "a database", lambda: subprocess.run(
                ["psql", self.database, "-c", "SELECT 1"], capture_output=True).returncode == 0)
        self.sql("CREATE EXTENSION postgis")
        self.ingest("setup", "--tenant", "acme")

    def sql(self, text):
        return self.run("psql", self.database, "-XAtqc", text, "-v", "ON_ERROR_STOP=1")

    def ingest(self, *arguments):
        return self.run(
            self.program("geofenced-ingest"), *arguments, "--database", self.database)
