#!/usr/bin/env python3
"""usage: relay.py PORT

The way of one connection from the machine (descriptor 0, a socket of qemu) to a port of this host.
A machine without power says goodbye to nobody: this side stays open until the broker closes it.
"""

import socket
import sys
import threading


def copy(source, sink):
    """Until `source` ends; what `sink` no longer takes is lost."""
    try:
        while data := source.recv(1 << 16):
            try:
                sink.sendall(data)
            except OSError:
                pass
    except OSError:
        pass


machine = socket.socket(fileno=0)
broker = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
threading.Thread(target=copy, args=(machine, broker), daemon=True).start()
copy(broker, machine)
