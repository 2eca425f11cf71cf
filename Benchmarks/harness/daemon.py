"""Our daemon as a program under measurement."""

import os
import re
import socket

from . import process

NAME = "org.geofenced.Geofence1"

# A recorded drive is fed faster than it was driven: its receiver times run ahead of the arrival
# times. That would count as a bogus date, unless the setting allows up to a day of it.
FASTER_THAN_DRIVEN = "[Fix]\nRebaseSec=1d\n"


class Daemon:
    """Starts it and waits until it reports that it is monitoring, and can be called."""

    def __init__(self, bench, state, port, bus=None, before=(), source=None, settings="",
                 variables=None):
        self.directory = process.Directory(bench.work)
        self.bus = bus
        (self.directory / "geofenced.conf").write_text(FASTER_THAN_DRIVEN + settings)
        runtime = process.Directory(
            "/dev/shm" if os.access("/dev/shm", os.W_OK) else bench.work, "geofenced-bench-")
        path = str(self.directory / "notify")
        ready = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        ready.bind(path)
        ready.settimeout(0.2)
        environment = os.environ | {
            "NOTIFY_SOCKET": path, "RUNTIME_DIRECTORY": str(runtime.path),
            # As under systemd: events go to the journal, not to standard output.
            "JOURNAL_STREAM": "1:1",
        } | (variables or {})
        self.program = process.start(
            [*before, bench.daemon, "--config", self.directory / "geofenced.conf", "--state-dir",
             state, "--source", source or f"gpsd://127.0.0.1:{port}", "--bus",
             bus.address if bus else "none"], env=environment)
        self._runtime = runtime
        process.until(lambda: self._says_ready(ready), 300, "the daemon")
        # Processor time, s, until it is monitoring.
        self.start_cpu = process.cpu(self.program.pid) if not before else None
        # It is monitoring before the bus has given it its name.
        if bus:
            process.until(lambda: bus.has(NAME), 300, f"{NAME} on the bus")

    def _says_ready(self, messages):
        if self.program.poll() is not None:
            raise RuntimeError(f"the daemon has ended ({self.program.returncode})")
        try:
            return b"READY=1" in messages.recv(4096)
        except TimeoutError:
            return False

    @property
    def pid(self):
        return self.program.pid

    def counters(self):
        """Accepted fixes, and refused ones by reason."""
        text = process.run([
            "busctl", f"--address={self.bus.address}", "get-property", NAME,
            "/org/geofenced/Geofence1", "org.geofenced.Geofence1.Manager", "FixCounters"])
        return {name: int(count) for name, count in re.findall(r'"([a-z-]+)" (\d+)', text)}

    def stop(self):
        process.stop(self.program)
        self.directory.remove()
        self._runtime.remove()
