"""A virtual machine whose power can be cut, and its channels other than the disk."""

import base64
import ctypes
import os
import queue
import signal
import socket
import subprocess
import threading
import time

LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1
# How much longer everything may take.
SLOWNESS = {"kvm": 1, "tcg": 10}
PORTS = ("control", "bus", "journal", "receiver2")
# By architecture: the emulator, the terminal that is the console, and the line of the receiver,
# which is ttyS1 beside a console ttyS0, and else ttyS0.
HARDWARE = {
    "amd64": (["qemu-system-x86_64"], "ttyS0", ["-serial", "chardev:receiver"]),
    "arm64": (["qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a72"], "ttyAMA0",
              ["-device", "pci-serial,chardev=receiver"]),
}


class Silence(Exception):
    """The machine did not answer in time."""


def accelerator(image):
    """"kvm" if it can run the kernel of `image`, else "tcg". That /dev/kvm can be opened is not
    enough: a nested one may stop at an instruction that it cannot emulate."""
    command = ["qemu-system-x86_64", "-nodefaults", "-display", "none", "-m", "256", "-no-reboot",
               "-kernel", f"{image}/kernel", "-append", "console=ttyS0 panic=-1",
               "-accel", "kvm", "-cpu", "host", "-serial", "stdio"]
    try:
        os.close(os.open("/dev/kvm", os.O_RDWR))
        console = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                                 timeout=20, preexec_fn=die_with_parent).stdout
        # It has no root file system: reaching that error is the proof.
        return "kvm" if b"Kernel panic" in console else "tcg"
    except (OSError, subprocess.TimeoutExpired):
        return "tcg"


def die_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Machine:
    """Boots `image`/kernel from a disk that listens on `disk` (a socket of ours in `work`).
    `on_line` is called with (port, line) for each line of a witness, at once, from a thread.
    `devices`: further words of qemu's command line. `hardware`: a key of HARDWARE."""

    def __init__(self, image, work, disk, accel, append="", on_line=None, devices=(),
                 hardware="amd64"):
        qemu, terminal, receiver = HARDWARE[hardware]
        self.work, self.slowness = work, SLOWNESS[accel]
        self.answers = queue.Queue()
        self.calls = 0
        self.on_line = on_line
        listeners = {}
        for name in PORTS + ("receiver",):
            path = os.path.join(work, name)
            if os.path.exists(path):
                os.unlink(path)
            listeners[name] = socket.socket(socket.AF_UNIX)
            listeners[name].bind(path)
            listeners[name].listen(1)
        self.console = os.path.join(work, "console.log")
        # no_timer_check: on a busy host an emulated timer may be too late for the kernel.
        command = [
            *qemu, "-nodefaults", "-no-user-config", "-display", "none",
            "-m", "512", "-smp", "1", "-no-reboot",
            "-kernel", f"{image}/kernel", "-initrd", f"{image}/initrd", "-append",
            f"root=/dev/vda rw quiet console={terminal} nokaslr mitigations=off "
            f"no_timer_check panic=-1 systemd.show_status=no {append}",
            # write-cache=on: the guest sees a disk with a volatile cache, and must flush it.
            "-blockdev", f"nbd,node-name=disk,server.type=unix,server.path={disk}",
            "-device", "virtio-blk-pci,drive=disk,write-cache=on",
            "-chardev", f"file,id=console,path={self.console},append=on",
            "-serial", "chardev:console",
            "-chardev", f"socket,id=receiver,path={work}/receiver",
            "-device", "virtio-serial-pci", *receiver,
        ]
        for port in PORTS:
            command += ["-chardev", f"socket,id={port},path={work}/{port}",
                        "-device", f"virtserialport,chardev={port},name={port}"]
        command += [*devices, "-accel", accel] + (["-cpu", "host"] if accel == "kvm" else [])
        self.log = open(os.path.join(work, "qemu.log"), "ab")
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            preexec_fn=die_with_parent)
        self.sockets = {}
        for name, listener in listeners.items():
            listener.settimeout(30)
            self.sockets[name], _ = listener.accept()
            listener.close()
        self.threads = [threading.Thread(target=self._hear_answers, daemon=True)]
        for port in ("bus", "journal"):
            self.threads.append(threading.Thread(target=self._hear, args=(port,), daemon=True))
        for thread in self.threads:
            thread.start()

    def cut(self):
        """At once, without notice to the guest."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        # Its output is read to the end.
        for thread in self.threads:
            thread.join(10)
        for port in self.sockets.values():
            port.close()
        self.log.close()

    def tell_receiver_line(self, data, line="receiver"):
        """The receiver's output; lost, as on a real line, if nobody reads it."""
        try:
            self.sockets[line].send(data, socket.MSG_DONTWAIT)
        except OSError:
            pass

    def tell_receivers(self, data):
        """To gpsd on a serial line, and on a port that gives each epoch whole."""
        for line in ("receiver", "receiver2"):
            self.tell_receiver_line(data, line)

    def run(self, command, seconds=60, check=True):
        """Runs a shell command inside and returns its output."""
        self.calls += 1
        call = str(self.calls)
        request = f"{call} {base64.b64encode(command.encode()).decode()}\n"
        self.sockets["control"].sendall(request.encode())
        deadline = time.monotonic() + seconds * self.slowness
        while True:
            try:
                answer, status, output = self.answers.get(timeout=1)
            except queue.Empty:
                if self.process.poll() is not None:
                    raise Silence(f"the machine has died, see {self.console}") from None
                if time.monotonic() > deadline:
                    raise Silence(f"no answer in {seconds * self.slowness} s: {command}") from None
                continue
            if answer == call:
                break
        if check and status != 0:
            raise RuntimeError(f"{command}: exit {status}: {output.strip()}")
        return output

    def wait(self, command, seconds=60):
        """Until a shell command inside succeeds."""
        deadline = time.monotonic() + seconds * self.slowness
        loop = f"until {command}; do sleep 0.1; done 2>&1"
        return self.run(loop, max(1, (deadline - time.monotonic()) / self.slowness))

    def _hear_answers(self):
        try:
            stream = self.sockets["control"].makefile("rb")
            while header := stream.readline():
                call, status, length = header.split()
                output = stream.read(int(length)).decode(errors="replace")
                self.answers.put((call.decode(), int(status), output))
        except (OSError, ValueError):
            pass

    def _hear(self, port):
        try:
            for line in self.sockets[port].makefile("rb"):
                if not line.endswith(b"\n"):
                    return  # cut short by the cut
                if self.on_line:
                    self.on_line(port, line)
        except (OSError, ValueError):
            pass
