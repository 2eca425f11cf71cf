#!/usr/bin/python3
"""Feeds a recording to any client: to clients of gpsd as gpsd would, or to gpsd as a receiver
would.

feeder.py gpsd|nmea FILE INTERVAL LIMIT hold|close [SOCKET|FIFO.fifo]

On a port of 127.0.0.1, or a SOCKET of the file system, or into a FIFO. INTERVAL is in seconds between two fixes,
0 is flat out; LIMIT is how many fixes, 0 is all. Prints its port, then a line `client` for each that
has asked for data; begins with each line on standard input to feed the next of them. `hold` leaves
the connection open at the end. In nmea the times at which fixes were sent go to standard output, as
`sent RECEIVER-TIME MONOTONIC`.
"""

import os
import socket
import sys
import threading
import time

GREETING = (
    b'{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n')
WATCHING = (
    b'{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyS0","driver":"NMEA0183",'
    b'"activated":"2026-06-01T08:00:00.000Z","flags":1,"native":0,"bps":9600,"parity":"N",'
    b'"stopbits":1,"cycle":1.00}]}\r\n'
    b'{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,'
    b'"timing":false,"split24":false,"pps":false}\r\n')


def say(*words):
    print(*words, flush=True)


def fixes(kind, path, limit):
    """The data sent for each fix: a line of JSON, or the three sentences of an epoch."""
    with open(path, "rb") as file:
        lines = file.read().splitlines(keepends=True)
    step = 1 if kind == "gpsd" else 3
    if limit:
        lines = lines[:limit * step]
    return [b"".join(lines[i:i + step]) for i in range(0, len(lines), step)]


def receiver_time(burst):
    """hhmmss.ss of an RMC, to recognise the fix in the resulting output."""
    return burst.split(b",", 2)[1].decode()


def feed(connection, kind, bursts, interval, hold, go):
    if connection.family == socket.AF_INET:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if kind == "gpsd":
        connection.sendall(GREETING)
        connection.recv(4096)
        connection.sendall(WATCHING)
    say("client")
    go.acquire()
    try:
        if interval == 0:
            connection.sendall(b"".join(bursts))
        else:
            begin = time.monotonic()
            for number, burst in enumerate(bursts):
                wait = begin + number * interval - time.monotonic()
                if wait > 0:
                    time.sleep(wait)
                if kind == "nmea":
                    sent = time.monotonic()
                connection.sendall(burst)
                if kind == "nmea":
                    say("sent", receiver_time(burst), f"{sent:.7f}")
        say("done")
        if hold:
            while connection.recv(65536):
                pass
    except OSError:
        pass
    connection.close()


class Fifo:
    """The subset of a connection that is needed here."""

    family = None

    def __init__(self, path):
        self.file = open(path, "wb", buffering=0)
        self.sendall = self.file.write
        self.close = self.file.close

    def recv(self, _):
        time.sleep(3600)


def main():
    kind, path, interval, limit, ending = sys.argv[1:6]
    bursts = fixes(kind, path, int(limit))
    go = threading.Semaphore(0)

    def begin(connection):
        threading.Thread(
            target=feed, daemon=True,
            args=(connection, kind, bursts, float(interval), ending == "hold", go)).start()

    if sys.argv[-1].endswith(".fifo"):
        os.mkfifo(sys.argv[-1])
        say(0)
        # Opened once there is a reader.
        threading.Thread(target=lambda: begin(Fifo(sys.argv[-1])), daemon=True).start()
        for _ in sys.stdin:
            go.release()
        return
    if len(sys.argv) > 6:
        server = socket.create_server(sys.argv[6], family=socket.AF_UNIX)
        say(0)
    else:
        server = socket.create_server(("127.0.0.1", 0))
        say(server.getsockname()[1])

    def accept():
        while True:
            begin(server.accept()[0])

    threading.Thread(target=accept, daemon=True).start()
    for _ in sys.stdin:
        go.release()


if __name__ == "__main__":
    main()
