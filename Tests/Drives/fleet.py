"""A fleet of real programs on sockets of their own: a broker, a database, ingests, and boxes with a
bus, a daemon and an uplink each. Any of them may be killed and started again. For `make run-fleet`,
`make bench-fleet`, `make test-fleet-faults`, `make test-shards` and `WHAT=office make
test-powercut`."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

POSTGRESQL = pathlib.Path("/usr/lib/postgresql/15/bin")
TENANT = "tryout"
WITH_US = ["setpriv", "--pdeathsig", "KILL"]


class Failed(Exception):
    """A required program does not work as expected."""


def wait_for(what, condition, log=None, seconds=20):
    """Polls; on failure the error has the last lines of the log."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            said = log.read_text(errors="replace") if log and log.exists() else ""
            raise Failed("\n  ".join([f"no {what}", *said.splitlines()[-20:]]))
        time.sleep(0.05)
    return value


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Program:
    """A program that can be restarted. It runs in its own session, so that Ctrl-C reaches only this
    process, and it never outlives this process."""

    def __init__(self, log, command, goodbye=signal.SIGTERM, **options):
        self.log = log
        self.goodbye = goodbye
        self._command = [*WITH_US, "--", *(str(word) for word in command)]
        self._options = options
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self._command, stdin=subprocess.DEVNULL, stdout=self.log.open("ab"),
            stderr=subprocess.STDOUT, start_new_session=True, **self._options)

    @property
    def pid(self):
        return self.process.pid

    @property
    def has_ended(self):
        return self.process.poll() is not None

    def kill(self):
        """Kills it at once, with its children."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()

    def stop(self, seconds=5):
        self.process.send_signal(self.goodbye)
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()


class Fleet:
    """`stack` is a contextlib.ExitStack, which ends the programs in the opposite order."""

    def __init__(self, work, stack, programs):
        self.work = pathlib.Path(work)
        self.programs = pathlib.Path(programs).resolve()
        self._stack = stack

    def start(self, name, *command, **options):
        program = Program(self.work / f"{name}.log", command, **options)
        self._stack.callback(program.stop)
        return program

    def database(self, *settings):
        """PostgreSQL, and its address. `settings` as `key=value`."""
        data = self.work / "data"
        data.mkdir()
        who = []
        if os.geteuid() == 0:
            # PostgreSQL refuses to run as root. Changing the user clears the parent-death signal.
            who = [*WITH_US, "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "--"]
            shutil.chown(data, "nobody", "nogroup")
            self.work.chmod(0o711)
        subprocess.run(
            [*who, POSTGRESQL / "initdb", "-D", data / "pg", "-U", "fleet", "-A", "trust",
             "--no-sync"], check=True, stdout=subprocess.DEVNULL)
        self.address = f"host={data} user=fleet dbname=postgres"
        self.postgres = self.start(
            "postgres", *who, POSTGRESQL / "postgres", "-D", data / "pg", "-k", data, "-h", "",
            *(word for setting in settings for word in ("-c", setting)), goodbye=signal.SIGINT)
        wait_for("database", self.accepts, self.postgres.log)

    def accepts(self):
        """Whether the database accepts connections."""
        directory = self.address.partition(" ")[0].removeprefix("host=")
        return subprocess.run(["pg_isready", "-q", "-h", directory, "-U", "fleet", "-d",
                               "postgres"]).returncode == 0

    def broker(self, *settings):
        """mosquitto, and its port. `settings` are lines of its configuration, for its listener."""
        self.port = free_port()
        config = self.work / "mosquitto.conf"
        config.write_text("\n".join([
            # See geofenced-ingest(8): the defaults are too low for a fleet.
            "max_inflight_messages 1000", "max_queued_messages 200000",
            f"listener {self.port} 127.0.0.1", "allow_anonymous true",
            *(["user root"] if os.geteuid() == 0 else []), *settings, ""]))
        self.mosquitto = self.start(
            "mosquitto", shutil.which("mosquitto") or "/usr/sbin/mosquitto", "-c", config)
        wait_for("broker", lambda: listens(self.port), self.mosquitto.log)

    def set_up(self, tenant=TENANT):
        subprocess.run([self.programs / "geofenced-ingest", "setup", "--database", self.address,
                        "--tenant", tenant], check=True, stdout=subprocess.DEVNULL)

    def publish(self, features, tenant=TENANT, origin="office"):
        """Stores a set with these fences, as who publishes it to the boxes does."""
        path = self.work / f"{tenant}-{origin}.json"
        path.write_text(json.dumps({"origin": origin, "hash": f"{len(features)} fences",
                                    "features": features}))
        subprocess.run([self.programs / "geofenced-ingest", "fences", "--database", self.address,
                        "--tenant", tenant, path], check=True, stdout=subprocess.DEVNULL)

    def report_over(self, shards):
        """A database of reports over those of other fleets, on the server of this one; its address."""
        self.ask("CREATE DATABASE reports")
        address = self.address.replace("dbname=postgres", "dbname=reports")
        subprocess.run(
            [self.programs / "geofenced-ingest", "setup", "--database", address,
             *(word for shard in shards for word in ("--report-over", shard.address))],
            check=True, stdout=subprocess.DEVNULL)
        return address

    def ingest(self, name="ingest", credentials=None):
        """Uses TLS with `credentials`, the directory of a credential `ca`."""
        config = self.work / f"{name}.conf"
        config.write_text(f"[Ingest]\nBrokers={self.url(credentials)}\n"
                          f"Database={self.address}\n{trust(credentials)}")
        return self.start(name, self.programs / "geofenced-ingest", "run", "--config", config,
                          "--worker", name, env=environment(credentials))

    def board(self, *arguments, database=None):
        """The board on the loopback, of another database than its own if one is given; returns the line
        with its address."""
        # Its first line is a secret.
        (self.work / "board.log").touch(0o600)
        board = self.start("board", self.programs / "geofenced-board", "--loopback", "--database",
                           database or self.address, *arguments)
        return wait_for("board", lambda: next(
            (line for line in board.log.read_text().splitlines() if line.startswith("http://")), None),
            board.log)

    def url(self, credentials):
        return f"{'mqtts' if credentials else 'mqtt'}://127.0.0.1:{self.port}"

    def ask(self, sql, *options, database=None):
        """The output of psql, of another database than its own if one is given."""
        done = subprocess.run(["psql", "-q", "-v", "ON_ERROR_STOP=1", *options,
                               database or self.address, "-c",
                               sql], capture_output=True, text=True, start_new_session=True)
        if done.returncode:
            raise Failed(f"psql: {done.stderr.strip()}")
        return done.stdout

    def value(self, sql):
        """The first value, as text."""
        return self.ask(sql, "-A", "-t").strip()


class Box:
    """A vehicle: a bus, a daemon and an uplink. `settings` are those of the daemon."""

    def __init__(self, fleet, name, source, settings=""):
        self.name = name
        self.home = fleet.work / name
        self._fleet = fleet
        self._source = source
        for folder in ("state", "run", "fences.d"):
            (self.home / folder).mkdir(parents=True)
        (self.home / "geofenced.conf").write_text(settings)
        self.bus = f"unix:path={self.home}/bus"

    def start(self, uplink="", credentials=None, **more):
        """`uplink` is added to its configuration, `more` to its environment."""
        self.start_daemon()
        self.start_uplink(uplink, credentials, **more)

    def start_daemon(self):
        fleet = self._fleet
        bus = fleet.start(f"{self.name}-bus", "dbus-daemon", "--session", "--nofork",
                          "--nopidfile", f"--address={self.bus}")
        wait_for("bus", (self.home / "bus").exists, bus.log)
        self.daemon = fleet.start(
            f"{self.name}-daemon", fleet.programs / "geofenced", "--config",
            self.home / "geofenced.conf", "--source", self._source, "--bus", self.bus,
            "--state-dir", self.home / "state",
            env={**os.environ, "RUNTIME_DIRECTORY": str(self.home / "run")})

    def start_uplink(self, uplink="", credentials=None, **more):
        fleet = self._fleet
        (self.home / "uplink.conf").write_text(
            uplink_settings(fleet.url(credentials), self.name, uplink, credentials))
        # It waits for the daemon.
        self.uplink = fleet.start(
            f"{self.name}-uplink", fleet.programs / "geofenced-uplink", "--bus", self.bus,
            "--config", self.home / "uplink.conf", "fleet", env=environment(credentials) | more)


def uplink_settings(url, box, more="", credentials=None):
    """The configuration of an uplink to that broker; `more` is added to its first section."""
    return (f"[Uplink]\nURL={url}\nTenant={TENANT}\nBox={box}\nFrom=oldest\n{more}"
            f"{trust(credentials)}")


def certificate(work, *addresses):
    """Makes a certificate of this machine, also under other IP `addresses`, and its key:
    certificate.pem and key.pem in `work`. Returns credentials for programs that trust it."""
    names = ",".join(["DNS:localhost", "IP:127.0.0.1", *(f"IP:{each}" for each in addresses)])
    done = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", f"subjectAltName={names}",
         "-keyout", work / "key.pem", "-out", work / "certificate.pem"],
        capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"openssl: {done.stderr.strip()}")
    credentials = work / "credentials"
    credentials.mkdir()
    shutil.copy(work / "certificate.pem", credentials / "c_ca")
    return credentials


def with_certificate(work):
    """Settings of a broker that has the certificate of `work`."""
    return f"certfile {work}/certificate.pem", f"keyfile {work}/key.pem"


def trust(credentials):
    """The section of a configuration."""
    return "[Auth]\nCA=@ca\n" if credentials else ""


def environment(credentials):
    more = {"CREDENTIALS_DIRECTORY": str(credentials)} if credentials else {}
    return {**os.environ, **more}


def main_of(name, run):
    """Runs a program that uses this module; a missing requirement is reported in one line."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(143))
    try:
        run()
    except Failed as why:
        print(f"{name}: {why}", file=sys.stderr)
        sys.exit(1)
