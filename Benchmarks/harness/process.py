"""Programs under measurement: starting them, their kernel statistics, and ending them."""

import atexit
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

_running = []


def start(command, **options):
    """Starts a program that ends with the benchmark, if not before."""
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("stdout", subprocess.DEVNULL)
    options.setdefault("stderr", subprocess.DEVNULL)
    program = subprocess.Popen([str(word) for word in command], **options)
    _running.append(program)
    return program


def stop(program, seconds=20):
    """Terminates it, or kills it if it does not react."""
    if program.poll() is None:
        program.send_signal(signal.SIGTERM)
        try:
            program.wait(seconds)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
    if program in _running:
        _running.remove(program)


@atexit.register
def stop_all():
    for program in list(_running):
        stop(program, 3)


def run(command, seconds=900, **options):
    """The output of a program, as text. Raises with its error output if it fails."""
    done = subprocess.run(
        [str(word) for word in command], stdin=options.pop("stdin", subprocess.DEVNULL),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=seconds, **options)
    if done.returncode != 0:
        raise RuntimeError(
            f"{pathlib.Path(str(command[0])).name} failed ({done.returncode}): "
            + (done.stderr or done.stdout).strip()[-500:])
    return done.stdout


def values(text):
    """`name=value` lines."""
    pairs = (line.split("=", 1) for line in text.splitlines() if "=" in line)
    return {name.strip(): number(value) for name, value in pairs}


def number(text):
    try:
        return float(text)
    except ValueError:
        return text.strip()


class Usage:
    """The resources used by a program that has ended."""

    def __init__(self, wall, usage, peak):
        self.wall = wall
        self.cpu = usage.ru_utime + usage.ru_stime
        # Sampled, and not from the usage: that includes the program that started it.
        self.peak = peak


def measure(command, **options):
    """Runs a program to its end; its elapsed and processor time, s, and peak resident set, bytes."""
    with tempfile.TemporaryFile("w+") as errors:
        begin = time.monotonic()
        program = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.DEVNULL, stderr=errors,
            stdin=options.pop("stdin", subprocess.DEVNULL), **options)
        watch = threading.Thread(target=_watch_peak, args=(program.pid, peaks := [0]))
        watch.start()
        _, status, usage = os.wait4(program.pid, 0)
        wall = time.monotonic() - begin
        watch.join()
        program.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        if program.returncode != 0:
            raise RuntimeError(
                f"{pathlib.Path(str(command[0])).name} failed ({program.returncode}): "
                + errors.read().strip()[-500:])
        return Usage(wall, usage, max(peaks))


def _watch_peak(pid, peaks):
    try:
        while True:
            peaks[0] = max(peaks[0], peak(pid))
            time.sleep(0.01)
    except (OSError, RuntimeError):
        # It has ended: then it has no such line, or no such file.
        return


def cpu(pid):
    """Processor time so far, s, of all threads."""
    total = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


def pss(pid):
    """Proportional set size, bytes."""
    return _field(f"/proc/{pid}/smaps_rollup", "Pss:") * 1024


def anonymous(pid):
    """The part of that without a file: heap and stack, and modified pages, bytes."""
    return _field(f"/proc/{pid}/smaps_rollup", "Pss_Anon:") * 1024


def peak(pid):
    """Largest resident set so far, bytes."""
    return _field(f"/proc/{pid}/status", "VmHWM:") * 1024


def sleeps(pid):
    """How often its threads have gone to sleep voluntarily: as often as they were woken."""
    return sum(
        _field(task / "status", "voluntary_ctxt_switches:")
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir())


def _field(path, name):
    for line in pathlib.Path(path).read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1])
    raise RuntimeError(f"no {name} in {path}")


def until(condition, seconds, what):
    """Waits for an effect of another program."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise RuntimeError(f"in vain waited {seconds} s for {what}")


def busy_until(pid, idle=0.25, seconds=300):
    """Waits until a program is idle; returns the time of its last activity, monotonic s."""
    last, changed = cpu(pid), time.monotonic()
    deadline = changed + seconds
    while time.monotonic() < deadline:
        time.sleep(0.001)
        now = cpu(pid)
        if now != last:
            last, changed = now, time.monotonic()
        elif time.monotonic() - changed > idle:
            return changed
    raise RuntimeError(f"busy for more than {seconds} s")


class Directory:
    """A private directory, below `parent`, deleted at the end."""

    def __init__(self, parent, prefix="run-"):
        os.makedirs(parent, exist_ok=True)
        self.path = pathlib.Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        atexit.register(self.remove)

    def __truediv__(self, name):
        return self.path / name

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


class Bus:
    """A private message bus."""

    CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig><type>custom</type><listen>unix:path=%s</listen><auth>EXTERNAL</auth>
    <policy context="default"><allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"""

    def __init__(self, directory):
        socket = directory / "bus"
        configuration = directory / "bus.conf"
        configuration.write_text(self.CONFIGURATION % socket)
        self.program = start(["dbus-daemon", f"--config-file={configuration}", "--nofork"])
        until(socket.exists, 10, "the bus")
        self.address = f"unix:path={socket}"

    def has(self, name):
        """Whether that name has an owner."""
        answer = run(["busctl", f"--address={self.address}", "call", "org.freedesktop.DBus",
                      "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner", "s", name])
        return answer.split() == ["b", "true"]

    def stop(self):
        stop(self.program)


class Feeder:
    """feeder.py as a separate program."""

    def __init__(self, kind, file, interval=0, limit=0, hold=True, socket=None):
        self.program = start(
            [sys.executable, pathlib.Path(__file__).with_name("feeder.py"), kind, file,
             interval, limit, "hold" if hold else "close", *([socket] if socket else [])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        # Read by a thread, so that waiting for a line can time out.
        self._lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.port = int(self.line())

    def _read(self):
        for line in self.program.stdout:
            self._lines.put(line.strip())

    def wait_for_client(self):
        while self.line() != "client":
            pass

    def go(self):
        self.program.stdin.write("\n")
        self.program.stdin.flush()

    def wait_until_done(self, seconds=300):
        while self.line(seconds) != "done":
            pass

    def line(self, seconds=60):
        try:
            return self._lines.get(timeout=seconds)
        except queue.Empty:
            raise RuntimeError("nobody has asked the feeder for data") from None

    def stop(self):
        stop(self.program)
