"""A parked vehicle whose receiver sleeps: how often the daemon is woken, and by what."""

import datetime
import functools
import operator
import re
import socket
import threading
import time

from .. import process
from ..daemon import NAME, Daemon
from ..report import Row, plain
from .feed import gpsd_on

# The law's own times, but for the ten minutes before the rest; the watchdog of the unit.
SETTINGS = "[Parking]\nRestAfterSec=1s\nLookSec=60s\n"
WATCHDOG_USEC = "15000000"
WAITED = re.compile(r"epoll_p?wait2?\(.* = \d+ <([0-9.]+)>$")


class Receiver:
    """A receiver on TCP that stands still and sends a fix a second, as long as it is connected."""

    def __init__(self):
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self._clients = threading.Semaphore(0)
        threading.Thread(target=self._accept, daemon=True).start()

    def wait_for_client(self):
        self._clients.acquire()

    def _accept(self):
        while True:
            connection, _ = self._server.accept()
            self._clients.release()
            threading.Thread(target=self._send, args=(connection,), daemon=True).start()

    @staticmethod
    def _send(connection):
        try:
            while True:
                now = datetime.datetime.now(datetime.timezone.utc)
                clock, place = f"{now:%H%M%S}.00", "4800.0000,N,01100.0000,E"
                connection.sendall(
                    sentence(f"GPRMC,{clock},A,{place},0.0,0.0,{now:%d%m%y},,,A")
                    + sentence(f"GPGGA,{clock},{place},1,08,1.0,300.0,M,0.0,M,,"))
                time.sleep(1)
        except OSError:
            # gpsd has closed the receiver: nobody watches it.
            connection.close()


def sentence(body):
    return f"${body}*{functools.reduce(operator.xor, body.encode()):02X}\r\n".encode()


def asleep(bench):
    """Two minutes and more of a vehicle that is parked, through a real gpsd, by strace."""
    bench.need("gpsd", "strace", "busctl")
    bus = process.Bus(process.Directory(bench.work))
    receiver = Receiver()
    port, gpsd = gpsd_on(receiver)
    daemon = Daemon(bench, bench.store(), port, bus, settings=SETTINGS,
                    variables={"WATCHDOG_USEC": WATCHDOG_USEC})
    call(bus, "call", "SetIgnition", "b", "false")
    process.until(lambda: "true" in call(bus, "get-property", "Resting"), 120, "the rest")
    # The start has timers of its own.
    time.sleep(15)
    seconds = 125 if bench.quick else 605
    trace = bench.work / "rest.strace"
    strace = process.start(["strace", "-f", "-T", "-ttt", "-o", trace, "-p", daemon.pid])
    time.sleep(seconds)
    process.stop(strace)
    is_resting = "true" in call(bus, "get-property", "Resting")
    for one in [daemon.program, gpsd]:
        process.stop(one)
    bus.stop()
    lines = trace.read_text().splitlines()
    # A wait that returns at once was no sleep.
    waits = [float(found[1]) for found in map(WAITED.search, lines) if found]
    woken = sum(wait > 0.001 for wait in waits)
    looks = sum("connect(" in line and "AF_INET" in line for line in lines)
    if not is_resting or looks < seconds // 60 - 1:
        raise RuntimeError(f"it does not rest: {looks} looks in {seconds} s")
    yield Row(
        "wake-ups per second while the receiver sleeps", "–", woken / seconds, 0.05, unit="/s",
        shown=f"{woken} in {seconds} s with {looks} looks, {len(waits)} returns of epoll_wait, "
        f"{plain(len(lines) / seconds)} system calls a second, by strace")


def call(bus, verb, name, *arguments):
    return process.run([
        "busctl", f"--address={bus.address}", verb, NAME, "/org/geofenced/Geofence1",
        f"{NAME}.Manager", name, *arguments])
