"""A PostgreSQL with PostGIS of a test's own: in its directory, on a socket there, as a user who is
not root."""

import glob
import os
import pwd
import signal
import subprocess
import sys
import time

import psycopg2

USER = "nobody"


def programs():
    """Of Debian's newest version that has PostGIS; None if there is none."""
    found = sorted(glob.glob("/usr/share/postgresql/*/extension/postgis.control"))
    return f"/usr/lib/postgresql/{found[-1].split('/')[4]}/bin" if found else None


def user():
    """PostgreSQL refuses to be root."""
    return USER if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name


def connect(directory):
    connection = psycopg2.connect(
        host=directory + "/postgres", dbname="postgres", user="fences", connect_timeout=5)
    connection.autocommit = True
    return connection


def start(directory):
    """Returns when it answers and has an empty table `fence`. It ends with the caller."""
    data = directory + "/postgres"
    os.mkdir(data, 0o700)
    account = []
    if os.geteuid() == 0:
        account = ["--reuid", USER, "--regid", str(pwd.getpwnam(USER).pw_gid), "--clear-groups"]
        os.chown(data, pwd.getpwnam(USER).pw_uid, pwd.getpwnam(USER).pw_gid)
        # The way to its directory.
        os.chmod(directory, 0o711)
    subprocess.run(
        ["setpriv", *account, "--", programs() + "/initdb", "--pgdata", data, "--username",
         "fences", "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync"],
        check=True, stdout=subprocess.DEVNULL, cwd="/")
    server = subprocess.Popen(
        ["setpriv", *account, "--pdeathsig", "INT", "--", programs() + "/postgres", "-D", data,
         "-k", data, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=1MB"], cwd="/")

    def stop(*_):
        """Fast shutdown; what it has of the kernel is given back."""
        server.send_signal(signal.SIGINT)
        server.wait(20)
        sys.exit()

    signal.signal(signal.SIGTERM, stop)
    deadline = time.monotonic() + 30
    while True:
        try:
            with connect(directory) as connection, connection.cursor() as cursor:
                cursor.execute("CREATE EXTENSION postgis")
                cursor.execute(
                    "CREATE TABLE fence(id text PRIMARY KEY, title text, description text, "
                    "radius float8, geom geometry(Point, 4326))")
            return
        except psycopg2.OperationalError:
            if server.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.1)


if __name__ == "__main__":
    # Can it be started here?
    if programs() is None:
        sys.exit("no PostGIS")
    start(sys.argv[1])
    signal.raise_signal(signal.SIGTERM)
