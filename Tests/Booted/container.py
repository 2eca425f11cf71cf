"""A Debian with systemd as PID 1, in name spaces of its own."""

import ctypes
import os
import pathlib
import signal
import socket
import subprocess
import time

ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8", "HOME": "/root",
    "SYSTEMD_PAGER": "", "SYSTEMD_COLORS": "0",
}
CLONE_NEWNET = 0x40000000
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)


def poll(what, condition, seconds=60, pause=0.05):
    """Waits until the condition holds, and returns its value."""
    end = time.monotonic() + seconds
    while True:
        got = condition()
        if got:
            return got
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(pause)


class Container:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.nspawn = None
        self.leader = None
        self.console = None

    def boot(self, *options):
        """Returns when systemd reports that it is up; the seconds that took. Options are of
        systemd-nspawn."""
        began = time.monotonic()
        self.console = open(self.root.parent / "console.log", "ab")
        # The recipe for a machine where systemd is not PID 1; BPF is for IPAddressDeny=.
        self.nspawn = subprocess.Popen(
            ["systemd-nspawn", "-q", "-D", str(self.root), f"--machine=geofenced-{os.getpid()}",
             "--boot", "--register=no", "--keep-unit", "--private-network",
             "--console=read-only", "--capability=all",
             "--drop-capability=CAP_SYS_MODULE,CAP_SYS_TIME", "--system-call-filter=bpf",
             "--link-journal=no", "--hostname=truck", *options],
            env={**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
            stdin=subprocess.DEVNULL, stdout=self.console, stderr=self.console,
            # It ends with this process, however that ends.
            preexec_fn=lambda: LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM))
        self.leader = poll("systemd-nspawn", self._find_leader, 30)
        poll("booting", lambda: self.out("systemctl", "is-system-running", check=False)
             in ("running", "degraded"), 120, 0.1)
        return time.monotonic() - began

    def _find_leader(self):
        if self.nspawn.poll() is not None:
            raise RuntimeError("systemd-nspawn has ended; see console.log")
        for task in pathlib.Path(f"/proc/{self.nspawn.pid}/task").glob("*/children"):
            for child in task.read_text().split():
                status = pathlib.Path(f"/proc/{child}/status").read_text()
                numbers = [l for l in status.splitlines() if l.startswith("NSpid:")][0].split()
                if len(numbers) > 2 and numbers[-1] == "1":
                    return int(child)
        return None

    # --- Running things in it

    def command(self, *arguments, user=None):
        enter = ["nsenter", "-t", str(self.leader), "-a", "--"]
        if user:
            enter += ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        return enter + [str(a) for a in arguments]

    def run(self, *arguments, check=True, user=None, input=None, timeout=120):
        done = subprocess.run(
            self.command(*arguments, user=user), env=ENVIRONMENT, input=input,
            capture_output=True, text=True, timeout=timeout)
        if check and done.returncode != 0:
            raise RuntimeError(
                f"{' '.join(map(str, arguments))}: exit {done.returncode}\n"
                f"{done.stdout}{done.stderr}")
        return done

    def out(self, *arguments, **options):
        return self.run(*arguments, **options).stdout.strip()

    def start(self, *arguments, **options):
        """A program that keeps running; the caller ends it."""
        return subprocess.Popen(
            self.command(*arguments), env=ENVIRONMENT, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def stop(self, program):
        """Ends a program started by start(); returns its output."""
        children = pathlib.Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text()
        # nsenter waits for the program, and forwards no signal.
        for child in children.split():
            os.kill(int(child), signal.SIGTERM)
        return program.communicate(timeout=20)[0]

    # --- What is in it, as a path or number of this side

    def path(self, inside):
        """In the booted root, including mounts; absolute links are not followed."""
        return pathlib.Path(f"/proc/{self.leader}/root/{inside.lstrip('/')}")

    def pid(self, inside):
        """The host's pid of a process in the container; None when it is gone."""
        if not inside or inside == "0":
            return None
        for status in pathlib.Path("/proc").glob("[0-9]*/status"):
            try:
                lines = status.read_text().splitlines()
                numbers = [l for l in lines if l.startswith("NSpid:")][0].split()
                theirs = os.readlink(f"{status.parent}/ns/pid")
            except (OSError, IndexError):
                continue
            if len(numbers) == 3 and numbers[-1] == inside and \
                    theirs == os.readlink(f"/proc/{self.leader}/ns/pid"):
                return int(numbers[1])
        return None

    def connect(self, port):
        """A connection to a port of the container's loopback."""
        with open("/proc/self/ns/net") as ours, open(f"/proc/{self.leader}/ns/net") as theirs:
            if LIBC.setns(theirs.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "setns")
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=10)
            finally:
                LIBC.setns(ours.fileno(), CLONE_NEWNET)

    # --- Ending it

    def power_off(self):
        """An orderly stop, like ignition off with a good power supply."""
        self.run("systemctl", "poweroff", check=False)
        self._wait(60)

    def cut(self):
        """All processes are killed at once; what they have written is there."""
        os.kill(self.leader, signal.SIGKILL)
        self._wait(60)

    def end(self):
        if self.nspawn and self.nspawn.poll() is None:
            if self.leader:
                try:
                    os.kill(self.leader, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            try:
                self._wait(20)
            except subprocess.TimeoutExpired:
                self.nspawn.kill()
                self.nspawn.wait()

    def _wait(self, seconds):
        self.nspawn.wait(seconds)
        self.leader = None
        if self.console:
            self.console.close()
