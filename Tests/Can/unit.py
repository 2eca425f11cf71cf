#!/usr/bin/env python3
"""usage: unit.py IMAGE-DIRECTORY

The installed packages with their units on a virtual CAN, see README.md. ONLY, a case or several separated by
commas, comes from the environment.
"""

import os
import shlex
import subprocess
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "PowerCut"))

from disk import VolatileDisk  # noqa: E402
from machine import SLOWNESS, Machine, accelerator  # noqa: E402

CAN = "org.geofenced.Can1 /org/geofenced/Can1 org.geofenced.Can1"
# CCVS of J1939: 36 km/h, with the parking brake released; and standing.
FAST, STANDS = "18FEF100#F30024FFFFFFFFFF", "18FEF100#F30000FFFFFFFFFF"
PATIENCE = 30


class Failure(Exception):
    pass


class Bench:
    def __init__(self, image, work, accel):
        self.slowness = SLOWNESS[accel]
        path, address = os.path.join(work, "disk.img"), os.path.join(work, "disk")
        subprocess.run(["cp", "--sparse=always", f"{image}/disk.img", path], check=True)
        self.disk = VolatileDisk(path, address)
        self.machine = Machine(image, work, address, accel)
        self.run = self.machine.run
        for unit in ("geofenced", "geofenced-can"):
            self.wait(f"systemctl is-active --quiet {unit}", 60)

    def script(self, text, seconds=PATIENCE):
        """Runs a shell script in which `await COMMAND` waits until the command succeeds."""
        limit = seconds * min(self.slowness, 4)
        wait = (f"await() {{ local end=$((SECONDS + {limit})); until eval \"$1\"; do\n"
                f"[ $SECONDS -lt $end ] || {{ echo \"not in {limit} s: $1\"; exit 1; }}\n"
                "sleep 0.1; done; }\n")
        try:
            return self.run(wait + text, 3 * seconds)
        except RuntimeError as error:
            raise Failure(str(error).split(": exit ")[-1]) from None

    def wait(self, command, seconds=PATIENCE):
        """Until a shell command inside succeeds."""
        return self.script(f"await {shlex.quote(command)}", seconds)

    def shown(self, *properties):
        """Of the unit, as the service manager has them."""
        words = " ".join(f"-p {name}" for name in properties)
        lines = self.run(f"systemctl show geofenced-can {words}").splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)

    def reaches(self, state):
        self.wait(f"busctl get-property {CAN} State | grep -qx 's \"{state}\"'")

    def up(self):
        self.run("ip link show can0 >/dev/null 2>&1 || ip link add can0 type vcan; ip link set can0 up")
        self.reaches("silent")

    def restart(self, settings):
        text = "[Can]\n" + "".join(f"{line}\n" for line in settings)
        self.run(f"printf %s {shlex.quote(text)} >/etc/geofenced/can.conf; systemctl restart geofenced-can")


def expect(condition, what):
    if not condition:
        raise Failure(what)


# The cases, in this order.

def sandbox(bench):
    """the unit runs as its user, without a capability, behind its filter and its limits"""
    bench.run("ip link del can0 2>/dev/null || true")
    bench.restart([])
    bench.reaches("no-interface")
    found = bench.shown("MainPID", "User", "MemoryMax", "TasksMax", "RestrictAddressFamilies",
                        "NRestarts")
    pid = found["MainPID"]
    status = dict(line.split(":", 1) for line in bench.run(f"cat /proc/{pid}/status").splitlines()
                  if ":" in line)
    status = {key: value.split() for key, value in status.items()}
    user = bench.run("id -u geofenced-can").strip()
    expect(set(status["Uid"]) == {user} and user != "0", f"not its user: {status['Uid']}")
    for key in ("CapEff", "CapPrm", "CapBnd", "CapInh", "CapAmb"):
        expect(int(status[key][0], 16) == 0, f"{key} {status[key][0]}")
    expect(status["NoNewPrivs"] == ["1"] and status["Seccomp"] == ["2"], "no filter")
    expect(int(found["MemoryMax"]) == 24 << 20 and found["TasksMax"] == "4", f"{found}")
    expect(set(found["RestrictAddressFamilies"].split()) == {"AF_CAN", "AF_UNIX"}, f"{found}")
    return f"uid {user}, {status['VmRSS'][0]} kB resident"


def policy(bench):
    """only its user may have the name, root included; only root, geofenced and the groups hear the wheels"""
    bench.run("systemctl stop geofenced-can")
    # From the bus itself: 1 is the primary owner.
    claim = ("busctl --timeout=5 call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus"
             " RequestName su org.geofenced.Can1 4 2>&1 || true")
    for user in ("root", "geofenced", "nobody"):
        answer = bench.run(f"setpriv --reuid {user} --clear-groups --regid nogroup {claim}")
        expect("Access denied" in answer, f"{user}: {answer}")
    bench.run("systemctl start geofenced-can")
    bench.up()
    # What a match of anybody gets: the wheels go to whom the policy lets have them.
    listen = ("dbus-monitor --system \"type='signal',interface='org.geofenced.Can1',"
              "member='VehicleMotion'\" 2>/dev/null")
    heard = {}
    for user in ("root", "geofenced", "nobody"):
        bench.run(f"systemd-run -q --collect --unit=hear-{user} --uid={user}"
                  f" -p StandardOutput=truncate:/run/heard-{user} sh -c {shlex.quote(listen)}")
    bench.script("sleep 2; for i in $(seq 50); do "
                 f"cansend can0 {FAST}; sleep 0.1; done; sleep 1")
    for user in ("root", "geofenced", "nobody"):
        heard[user] = int(bench.run(f"grep -c member=VehicleMotion /run/heard-{user} || true"))
        bench.run(f"systemctl stop hear-{user}")
    expect(heard["nobody"] == 0, f"{heard}")
    expect(heard["root"] >= 3 and heard["geofenced"] >= 3, f"{heard}")
    return f"heard {heard['root']} times by root, {heard['geofenced']} by geofenced, 0 by nobody"


def believed(bench):
    """the daemon, in its own unit, takes the wheels from the one that the package starts"""
    bench.up()
    wheels = "busctl get-property org.geofenced.Geofence1 /org/geofenced/Geofence1" \
        " org.geofenced.Geofence1.Manager Wheels"
    for frame, state in ((FAST, "moving"), (STANDS, "standing")):
        bench.script(f"(while :; do cansend can0 {frame}; sleep 0.1; done) & trap \"kill $!\" EXIT\n"
                     f"await \"{wheels} 2>/dev/null | grep -q {state}\"")
    refused = bench.run("busctl get-property org.geofenced.Geofence1 /org/geofenced/Geofence1"
                        " org.geofenced.Geofence1.Manager WheelCounters")
    return refused.strip()


def silent(bench):
    """with Request=no nothing is ever sent, and nobody answers"""
    bench.restart([])
    bench.up()
    bench.run("systemctl restart car")
    bench.script("await '[ -e /run/asked ]'; sleep 35")
    asked = int(bench.run("wc -l </run/asked"))
    expect(asked == 0, f"{asked} requests")
    bench.reaches("silent")
    return "0 frames in 35 s"


def request(bench):
    """with Request=yes a car is asked from the sandbox, and its answers are the wheels"""
    bench.restart(["Protocol=obd2", "Request=yes"])
    bench.up() if "can0" not in bench.run("ip link show up") else None
    bench.run("systemctl restart car")
    bench.reaches("listening")
    bench.run("timeout 20 dbus-monitor --system \"type='signal',member='VehicleMotion'\" >/run/told"
              " 2>/dev/null || true", 60)
    told = bench.run("cat /run/told")
    # 50 km/h.
    expect("13.8" in told or "13.9" in told, told[-2000:])
    speeds, odometers = (int(bench.run(f"grep -c 7DF#0201{word} /run/asked || true"))
                         for word in ("0D", "A6"))
    expect(speeds > odometers > 0, f"{speeds} and {odometers} requests")
    found = bench.shown("NRestarts", "ActiveState")
    expect(found["ActiveState"] == "active" and found["NRestarts"] == "0", f"{found}")
    bench.run("systemctl stop car")
    bench.reaches("silent")
    return f"asked {speeds} times for the speed, {odometers} for the odometer"


def faults(bench):
    """killed, hung and flooded: it is there again, within its memory"""
    bench.restart([])
    bench.up()
    begun = bench.shown("MainPID")["MainPID"]
    bench.run("systemctl kill -s KILL geofenced-can")
    bench.wait("systemctl is-active --quiet geofenced-can && "
               f"[ \"$(systemctl show -P MainPID geofenced-can)\" != {begun} ]")
    begun = bench.shown("MainPID")["MainPID"]
    bench.run(f"kill -STOP {begun}")
    bench.wait(f"[ \"$(systemctl show -P MainPID geofenced-can)\" != {begun} ] && "
               "systemctl is-active --quiet geofenced-can", 90)
    bench.reaches("silent")
    bench.run("cangen can0 -g 0 -n 20000 -e -I 18FEF100 -L 8 -D r", 300)
    bench.script(f"for i in 1 2 3 4 5; do cansend can0 {FAST}; sleep 0.1; done")
    bench.reaches("listening")
    memory = int(bench.run("cat /sys/fs/cgroup/system.slice/geofenced-can.service/memory.peak"))
    restarts = bench.shown("NRestarts")["NRestarts"]
    expect(memory < 24 << 20 and restarts == "2", f"{memory} bytes, {restarts} restarts")
    return f"{memory / (1 << 20):.1f} MiB at most"


CASES = [sandbox, policy, believed, silent, request, faults]


def main():
    image = sys.argv[1]
    only = [name for name in os.environ.get("ONLY", "").split(",") if name]
    unknown = set(only) - {case.__name__ for case in CASES}
    if unknown:
        sys.exit(f"unit: no such case: {', '.join(sorted(unknown))}")
    accel = accelerator(image)
    failures = 0
    with tempfile.TemporaryDirectory() as work:
        print(f"Debian 12 in a virtual machine ({accel})", flush=True)
        bench = Bench(image, work, accel)
        for case in CASES:
            if only and case.__name__ not in only:
                continue
            try:
                print(f"  good    {case.__doc__}: {case(bench)}", flush=True)
            except Exception as error:
                failures += 1
                if not isinstance(error, Failure):
                    traceback.print_exc()
                print(f"  FAILED  {case.__doc__}: {error}", flush=True)
                print(bench.run("journalctl -b -n 30 -u geofenced-can -u geofenced -u car -o short",
                                60, check=False))
        bench.machine.cut()
        bench.disk.close()
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
