"""Attacks by another server at gpsd's port: see attacks."""

import os
import pathlib
import random
import socket
import threading
import time

from attacks import MEGABYTES, peak
from container import CLONE_NEWNET, LIBC, poll


class FakeGpsd:
    """Another server at port 2947 of the machine: a list of what is sent on each connection."""

    def __init__(self, container, script):
        with open("/proc/self/ns/net") as ours, open(f"/proc/{container.leader}/ns/net") as theirs:
            LIBC.setns(theirs.fileno(), CLONE_NEWNET)
            try:
                self.socket = socket.socket()
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                self.socket.bind(("127.0.0.1", 2947))
                self.socket.listen(16)
            finally:
                LIBC.setns(ours.fileno(), CLONE_NEWNET)
        self.connections = 0
        self.script = script
        self.over = False
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self):
        while not self.over:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            self.connections += 1
            client.settimeout(5)
            try:
                self.script(client, self.connections)
            except OSError:
                pass
            client.close()

    def end(self):
        self.over = True
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join(10)


VERSION = b'{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n'


def error_and_more(client, number):
    """The ERROR that empties the buffer during iteration; then more than is left of the buffer."""
    if number % 2:
        client.sendall(b'{"class":"ERROR","message":"' + b"x" * 20_000 + b'"}\n')
    else:
        client.sendall(b"y" * 20_100)
        time.sleep(0.2)


def versions(client, number):
    """Another version with each line, with a terminal's escapes in it."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        for release in ("3.22", "\\u001b[2J\\u0007evil", "9" * 3000):
            client.sendall(VERSION.replace(b'"release":"3.22"', b'"release":"%s"'
                                           % release.encode()) * 20)


def devices(client, number):
    """Receivers that come and go a thousand times a second."""
    end = time.monotonic() + 10
    client.sendall(VERSION)
    while time.monotonic() < end:
        for active in (0, 1):
            client.sendall(b'{"class":"DEVICE","path":"/dev/x%d","activated":%d}\n'
                           % (random.randrange(5), active) * 50)


def halves(client, number):
    """Half a line on each of many connections."""
    line = b'{"class":"TPV","mode":3,"time":"2026-01-01T00:00:00Z","lat":1,"lon":1}\n'
    client.sendall(VERSION + line[:random.randrange(len(line))])


def noise(client, number):
    """Bytes, long lines, no lines at all."""
    end = time.monotonic() + 8
    while time.monotonic() < end:
        client.sendall(os.urandom(random.choice([1, 100, 32_767, 32_768, 32_769])))
        client.sendall(random.choice([b"\n", b"", b"{" * 40_000, b'{"class":"TPV"', b"\0" * 999]))


def at_gpsds_port(checks, service, drive):
    """Attacked by another server at gpsd's port"""
    container = service.container
    service.begin_quietly(drive)
    container.run("systemctl", "stop", "gpsd.socket", "gpsd.service")
    try:
        for script in (error_and_more, versions, devices, halves, noise):
            what = script.__name__.replace("_", " ")
            pid, cursor = service.main_pid(), service.cursor()
            pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")
            before = service.property("LastSeq")
            server = FakeGpsd(container, script)
            container.run("systemctl", "reload", "geofenced.service")
            poll("it connects", lambda: server.connections > 0, 40)
            time.sleep(12)
            server.end()
            checks.check(service.main_pid() == pid, f"gpsd, {what}: the service lives on")
            checks.check(peak(service) < MEGABYTES, f"gpsd, {what}: memory", peak(service))
            told = [e for e in service.events() if e["seq"] > before and e.get("fence")]
            checks.check(not told, f"gpsd, {what}: no crossing is invented", told)
            container.run("journalctl", "--sync")
            entries = service.journal("SYSLOG_IDENTIFIER=geofenced", since=cursor)
            checks.check(len(entries) < 100, f"gpsd, {what}: few lines in the log", len(entries))
            ugly = [e for e in entries if any(ord(c) < 32 for c in str(e.get("MESSAGE", "")))]
            checks.check(not ugly, f"gpsd, {what}: no control characters in them", ugly[:2])
    finally:
        container.run("systemctl", "start", "gpsd.socket")
