"""Describes the machine of the measurement."""

import datetime
import os
import platform
import re
import shutil
import subprocess

PROGRAMS = [
    ("gcc", ["gcc", "-dumpfullversion"]), ("SQLite", ["sqlite3", "--version"]),
    ("gpsd", ["gpsd", "-V"]), ("Redis", ["redis-server", "--version"]),
    ("PostgreSQL", ["psql", "--version"]), ("GDAL", ["ogr2ogr", "--version"]),
]
FLEET = [
    ("mosquitto", ["mosquitto", "-h"]), ("PostgreSQL", ["psql", "--version"]),
    ("OpenSSL", ["openssl", "version"]), ("gcc", ["gcc", "-dumpfullversion"]),
]


def description(bench, seconds):
    floors = f"Floors: {'the yardsticks' if bench.yardsticks else 'the own ones'}. "
    return described(bench, seconds, PROGRAMS, floors)


def described(bench, seconds, programs, before=""):
    """The run, the machine, and the versions of these programs."""
    lines = [
        f"Date {datetime.date.today()}, {seconds / 60:.0f} minutes{', quick' * bench.quick}; "
        f"load of the machine at the end {os.getloadavg()[1]:.1f}.",
        f"Machine: {processor()}, {os.cpu_count()} processors, {memory()}; "
        f"{distribution()}, Linux {platform.release()}.",
        f"{before}Versions: Swift {version(['swift', '--version'])}, "
        + ", ".join(f"{name} {version(command)}" for name, command in programs
                    if shutil.which(command[0])) + ".",
    ]
    return "\n".join(lines)


def version(command):
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"\d+\.\d+(\.\d+)?", done.stdout + done.stderr)
    return found[0] if found else "?"


def processor():
    with open("/proc/cpuinfo") as file:
        found = re.search(r"model name\s*: (.*)", file.read())
    return found[1] if found else platform.machine()


def memory():
    with open("/proc/meminfo") as file:
        return f"{int(file.readline().split()[1]) / 1e6:.0f} GB"


def distribution():
    with open("/etc/os-release") as file:
        return re.search(r'PRETTY_NAME="(.*)"', file.read())[1]
