"""Bus, daemon and live map of a drive, for test-live."""

import http.client
import pathlib
import re
import signal
import socket
import subprocess
import time

from page import expect

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DRIVE = ROOT / "Tests/Drives/truckee-reno.nmea"
# Speeds up the drive: twelve minutes become 36 s.
RATE = 20


def wait(condition, what, seconds=20):
    """Polls; returns the result, or None after a failure was noted."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            expect(False, f"{what}: not within {seconds} s")
            return None
        time.sleep(0.05)


class Vehicle:
    """Bus, daemon and map, each of which can be killed and started again."""

    def __init__(self, programs, directory):
        self.programs, self.directory = pathlib.Path(programs), directory
        self.port = None
        bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE,
            text=True)
        self.running = [bus]
        self.address = bus.stdout.readline().strip()
        self.daemon = None
        self.map = None

    def start(self, *arguments, **more):
        process = subprocess.Popen([str(each) for each in arguments], text=True, **more)
        self.running.append(process)
        return process

    def tool(self, *arguments):
        run = subprocess.run(
            [self.programs / "geofencectl", *arguments, "--bus", self.address],
            capture_output=True, text=True)
        return run

    def start_daemon(self):
        self.daemon = self.start(
            self.programs / "geofenced", "--bus", self.address, "--state-dir",
            self.directory / "state", "--source", f"replay:{DRIVE}?rate={RATE}",
            stderr=subprocess.DEVNULL)
        wait(lambda: self.tool("status").returncode == 0, "the daemon answers")

    def start_map(self, *more):
        arguments = [self.programs / "geofenced-map", "--loopback", "--bus", self.address,
                     "--config", self.directory / "map.conf", *more]
        if self.port:
            arguments += ["--port", self.port]
        self.map = self.start(*arguments, stdout=subprocess.PIPE)
        address = self.map.stdout.readline().strip()
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{32})", address)
        expect(match, f"the map says its address: {address!r}")
        self.port, self.token = int(match[1]), match[2]
        return address

    def kill(self, process):
        process.send_signal(signal.SIGKILL)
        process.wait()

    def close(self):
        for process in reversed(self.running):
            if process.poll() is None:
                process.kill()
                process.wait()

    def ask(self, path, host=None, token=True, **headers):
        """Status, headers and body of a request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.putrequest("GET", path, skip_host=True)
        connection.putheader("Host", host or f"127.0.0.1:{self.port}")
        if token:
            connection.putheader("Authorization", "Bearer " + (self.token if token is True else token))
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()

    def raw(self, data, seconds=2):
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.settimeout(seconds)
            connection.sendall(data)
            said = b""
            try:
                while piece := connection.recv(65536):
                    said += piece
            except (TimeoutError, ConnectionError):
                pass
        return said
