"""The environment of a benchmark run: paths, built programs, data."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

from . import data, process

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLOORS = ["win20", "refd", "gpscli", "sqlite_knn", "sqlite_load", "rtree_pack"]
LIBRARIES = {"win20": ["sqlite3"], "sqlite_knn": ["sqlite3"], "sqlite_load": ["sqlite3"],
             "rtree_pack": ["sqlite3"], "gpscli": ["gps"], "refd": ["sqlite3", "systemd"],
             "signals": ["systemd"]}


class Skipped(Exception):
    """What is missing for a measure."""


class Bench:
    def __init__(self, quick, only):
        self.quick = quick
        self.only = only
        self.out = ROOT / ".build/bench"
        self.work = self.out / "work"
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.yardsticks = self._yardsticks()
        kind = "yardsticks" if self.yardsticks else "own"
        self.bin = self.out / f"bin-{kind}"
        self.data = self.out / f"data-{kind}"
        self.instruments = self.out / "bin"
        self._stores = {}
        self._commit = None

    @staticmethod
    def _yardsticks():
        path = (ROOT / os.environ.get("BENCH_YARDSTICKS", "../shared/bench")).resolve()
        if not (path / "build.sh").exists():
            return None
        if subprocess.run([sys.executable, "-c", "import numpy"], capture_output=True).returncode:
            log("the yardsticks need numpy: the floors of the project take their place")
            return None
        return path

    def prepare(self):
        """Builds the floors, and creates the data."""
        for program in [self.daemon, self.tool, self.parts]:
            if not program.exists():
                sys.exit(f"bench: {program.name} is not built; `make bench` builds it")
        self._compile(self.instruments, ["signals"])
        if self.yardsticks:
            log(f"yardsticks of {self.yardsticks}")
            environment = os.environ | {
                "BIN": str(self.bin), "DATA": str(self.data),
                # Only Debian's python3 has Debian's numpy.
                "PATH": f"/usr/bin:{os.environ['PATH']}"}
            subprocess.run(["sh", self.yardsticks / "build.sh"], env=environment, check=True,
                           stdout=subprocess.DEVNULL)
        else:
            self._compile(self.bin, FLOORS)
            if not (self.data / "drive.tpv").exists():
                log("making the data")
                data.generate(self.data)
            for name, command in [("j.db", ["sqlite_load", "j.db", "rand", "wal", "join"]),
                                  ("pack.db", ["rtree_pack", "pack.db", "51", "off"])]:
                if not (self.data / name).exists():
                    self.floor(command[0], self.data / command[1], *command[2:])
        data.derive(self.data)

    def _compile(self, folder, names):
        folder.mkdir(parents=True, exist_ok=True)
        sources = ROOT / "Benchmarks/Floors"
        newest = max(path.stat().st_mtime for path in sources.iterdir())
        for name in names:
            program = folder / name
            if program.exists() and program.stat().st_mtime > newest:
                continue
            libraries = [f"-l{library}" for library in LIBRARIES[name] + ["m"]]
            subprocess.run(["gcc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o",
                            program, sources / f"{name}.c", *libraries], check=True)

    # Programs

    @property
    def environment(self):
        return os.environ | {"DATA": str(self.data)}

    @staticmethod
    def program(name):
        return ROOT / ".build/release" / name

    @property
    def daemon(self):
        return self.program("geofenced")

    @property
    def tool(self):
        return self.program("geofencectl")

    @property
    def parts(self):
        return self.program("geofenced-bench")

    def floor(self, name, *arguments):
        """Runs a floor to its end; its values."""
        return process.values(
            process.run([self.bin / name, *arguments], env=self.environment))

    def ours(self, *arguments):
        """Runs one of our modules to its end; its values."""
        return process.values(process.run([self.parts, *arguments]))

    # Data

    @property
    def drive(self):
        return self.data / "drive.tpv"

    @property
    def count(self):
        """The total number of fences."""
        return (self.data / "fences.bin").stat().st_size // 24

    def fences(self, count, suffix="geojson"):
        """A file with the first `many` fences."""
        if count >= self.count:
            return self.data / f"fences.{suffix}"
        return data.first(self.data, count, suffix)

    def store(self, count=None):
        """A state directory with `many` fences, imported by the current programs."""
        return self.store_of(self.fences(count or self.count), str(count or self.count))

    def store_of(self, file, name):
        if name not in self._stores:
            made = self.out / "stores" / self.build / name
            if not (made / "ready").exists():
                log(f"importing {name}")
                made.mkdir(parents=True, exist_ok=True)
                for old in made.iterdir():
                    old.unlink()
                output = process.run([self.parts, "import", made, file])
                (made / "ready").write_text(output)
            self._stores[name] = made
        return without_events(self._stores[name])

    def import_of(self, store):
        """The cost of creating that store."""
        return process.values((store / "ready").read_text())

    @property
    def build(self):
        """Identifies the build: another build creates its stores again."""
        if self._commit is None:
            digest = hashlib.sha256(self.parts.read_bytes()).hexdigest()[:12]
            stores = self.out / "stores"
            if stores.exists():
                for old in stores.iterdir():
                    if old.name != digest:
                        shutil.rmtree(old)
            self._commit = digest
        return self._commit

    def repetitions(self, full, quick=1):
        return range(quick if self.quick else full)

    def need(self, *programs):
        """Skips the measure if one of these programs is missing."""
        for program in programs:
            if not shutil.which(program):
                raise Skipped(f"{program} is not here")

    def need_built(self, name):
        """Skips the measure if this companion is not built."""
        if not self.program(name).exists():
            raise Skipped(f"{name} is not built")


def log(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def without_events(store):
    """The same state directory, with nothing of earlier drives."""
    for old in store.glob("events.sqlite*"):
        old.unlink()
    (store / "memory").unlink(missing_ok=True)
    return store
