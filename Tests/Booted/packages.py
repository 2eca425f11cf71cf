"""Every package with all of its units at work: upgraded, removed, installed again, purged."""

import contextlib
import os
import pathlib
import shutil
import subprocess

from container import poll
from life import apt, relabelled
from service import NAME, PATH

# Takes connections, and never answers.
DEAF = 8098
UPLINK = f"[Uplink]\nURL=mqtt://127.0.0.1:{DEAF}\nTenant=acme\nBox=truck\n"
# Package; what the administrator writes below /etc/geofenced; what he enables, and what he only
# starts; the programs that run then.
TABLE = [
    ("geofenced", {"fences.d/mine.csv": "id,lat,lon,radius\nmine,48,11,100\n"}, [], [],
     ["geofenced"]),
    ("geofenced-alert", {}, [], [], ["geofenced-alert"]),
    ("geofenced-board", {"credentials/board/password": ""}, ["geofenced-board.socket"],
     ["geofenced-board.service"], ["geofenced-board"]),
    # Without its interface it waits.
    ("geofenced-can", {}, [], [], ["geofenced-can"]),
    ("geofenced-ingest", {"ingest.conf": f"[Ingest]\nBrokers=mqtt://127.0.0.1:{DEAF}\n",
                          "credentials/ingest/password": ""},
     [], ["geofenced-ingest.service"], ["geofenced-ingest"]),
    ("geofenced-map", {}, ["geofenced-map.socket"], ["geofenced-map.service"], ["geofenced-map"]),
    ("geofenced-roads", {}, [], [], []),
    ("geofenced-sync", {"sources.d/deaf-1.conf": f"[Source]\nType=geojson\n"
                                                 f"URL=http://127.0.0.1:{DEAF}/places\n",
                        "credentials/deaf-1/password": ""},
     ["geofenced-sync@deaf-1.timer"], [], ["geofenced-sync"]),
    ("geofenced-uplink", {"uplink.d/first.conf": UPLINK, "uplink.d/second.conf": UPLINK,
                          "credentials/first/password": "", "credentials/second/password": ""},
     ["geofenced-uplink@first.service"], ["geofenced-uplink@second.service"],
     ["geofenced-uplink", "geofenced-uplink"]),
]
COMPANIONS = [package for package, *_ in TABLE[1:]]
# Consumers of theirs, and one that is not.
CONSUMERS = ["org.geofenced.Alert1", "org.geofenced.Sync1.deaf-1", "org.geofenced.Uplink1.first",
             "org.geofenced.Uplink1.second"]
OTHER = "org.geofenced.Uplink2.of-another"


def made(column):
    return [each for row in TABLE for each in row[column]]


def programs(container):
    """Our programs that run, and those of them whose file is no more."""
    links = container.out("find", "/proc", "-maxdepth", "2", "-name", "exe", "-printf", "%l\n",
                          check=False).splitlines()
    ours = [link.split("/")[-1] for link in links if "/geofence" in link]
    return (sorted(name.split()[0] for name in ours),
            sorted(name.split()[0] for name in ours if name.endswith("(deleted)")))


def consumers(container):
    lines = container.out("geofencectl", "consumer", "list").splitlines()
    return sorted(line.split("\t")[0] for line in lines)


def found(container, *tests):
    """What there is with our name, on the disk and in /run, without what dpkg, apt, the journal and
    these tests have of it, and what users have in their homes."""
    paths = container.out(
        "find", "/", "/run", "-xdev", "(", "-path", "/proc", "-o", "-path", "/root", "-o", "-path",
        "/srv", "-o", "-path", "/var/cache/apt", "-o", "-path", "/var/log", "-o", "-path", "/tmp",
        "-o", "-path", "/var/lib/apt", "-o", "-path", "/home", ")", "-prune", "-o", "-path", "*geofence*", *tests, "-print",
        check=False)
    return set(paths.splitlines())


@contextlib.contextmanager
def deaf_server(container):
    server = subprocess.Popen(
        ["nsenter", "-t", str(container.leader), "-n", "--", "/usr/bin/python3", "-c",
         f"import signal, socket; s = socket.create_server(('127.0.0.1', {DEAF})); signal.pause()"])
    try:
        yield
    finally:
        server.kill()
        server.wait()


def install_all(container, package, work, suffix=""):
    """All of them, which lie beside `package`, with `suffix` added to their version."""
    files = []
    for name, *_ in TABLE:
        beside = max(pathlib.Path(package).parent.glob(f"{name}_*.deb"), key=os.path.getmtime)
        if suffix:
            beside = relabelled(beside, work, suffix)
        files.append(f"/root/{name}.deb")
        shutil.copy(beside, container.path(files[-1]))
    return apt(container, "install", "--no-install-recommends", "--allow-downgrades", *files)


def configure(container):
    """What the administrator writes."""
    for row in TABLE:
        for name, text in row[1].items():
            path = container.path(f"/etc/geofenced/{name}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def at_work(container, user):
    """Everything that the packages have runs."""
    run = container.run
    # A look that has just failed is not due.
    run("sh", "-c", "rm -rf /var/lib/geofenced-sync/*")
    run("systemctl", "enable", "--now", *made(2))
    run("systemctl", "start", *made(3))
    run("systemctl", "start", "--no-block", "geofenced-sync@deaf-1.service")
    run("systemctl", "--user", "-M", f"{user}@", "start", "geofenced-alert.service")
    for name in (CONSUMERS[1], OTHER):
        run("busctl", "call", NAME, PATH, NAME + ".Manager", "RegisterConsumer", "sa{sv}", name, "0")
    wanted = sorted(made(4) + ["geofenced-alert"])
    poll(f"{wanted} run", lambda: programs(container)[0] == wanted, 30)
    poll("the consumers are registered",
         lambda: consumers(container) == sorted(CONSUMERS + [OTHER]), 30)


def let_go(checks, service, package, work):
    """Each package with running instances: upgraded, removed, installed again, purged"""
    container = service.container
    run = container.run
    # What the scenarios before have left: another administrator's.
    container.run("sh", "-c", "rm -rf /etc/geofenced/fences.d/* /etc/geofenced/credentials/* "
                  "/etc/geofenced/geofenced.conf.d")
    install_all(container, package, work)
    configure(container)
    modes(checks, container)
    if run("id", "driver", check=False).returncode != 0:
        run("useradd", "--create-home", "--groups", "geofenced", "driver")
    # A session without a login.
    run("loginctl", "enable-linger", "driver")
    with deaf_server(container):
        at_work(container, "driver")
        run("chmod", "755", "/etc/geofenced/credentials")
        install_all(container, package, work, "+2")
        poll("the service is up", service.is_up)
        running, old = programs(container)
        checks.check(not old, "upgraded: no old program runs", old)
        wanted = sorted(made(4) + ["geofenced-alert"])
        checks.same([name for name in running if name != "geofenced-sync"],
                    [name for name in wanted if name != "geofenced-sync"],
                    "upgraded: what ran runs, but for a look, which its timer begins again")
        checks.same(active(container), sorted(made(2)), "upgraded: what was enabled runs")
        checks.same(consumers(container), sorted(CONSUMERS + [OTHER]),
                    "upgraded: the consumers are as they were")
        modes(checks, container)
        at_work(container, "driver")
        apt(container, "remove", *COMPANIONS)
        checks.same(programs(container)[0], ["geofenced"], "removed: none of them runs any more")
        # An empty slice is no unit of theirs, and what is enabled is known as not found.
        loaded = [line for line in container.out(
            "systemctl", "list-units", "--plain", "--no-legend", "geofenced*").splitlines()
            if not line.startswith("geofenced.service")]
        checks.check(not loaded, "removed: systemd has no unit of theirs", loaded)
        checks.same(consumers(container), [OTHER], "removed: only another's consumer is registered")
        left = [each for each in found(container, "-path", "/run/*")
                if "geofenced" not in each.split("/")[2:3] and "geofenced.service" not in each]
        checks.check(not left, "removed: nothing of theirs is left in /run", left)
        install_all(container, package, work)
        poll("what is enabled runs", lambda: active(container) == sorted(made(2)))
        checks.check("geofenced-uplink" in programs(container)[0],
                     "installed again: what was enabled runs")
        at_work(container, "driver")
        files = {f"/etc/geofenced/{name}" for row in TABLE for name in row[1]}
        apt(container, "purge", "geofenced", *COMPANIONS)
        checks.same(programs(container)[0], [], "purged: nothing runs")
        left = found(container, "!", "-type", "d")
        checks.same(sorted(left), sorted(files), "purged: what is left are the administrator's files")
        left = found(container, "-type", "d") - {
            str(parent) for file in files for parent in pathlib.PurePath(file).parents}
        checks.check(not left, "purged: and their directories", left)
    run("loginctl", "disable-linger", "driver")
    run("rm", "-rf", "/etc/geofenced")
    apt(container, "install", "/root/geofenced.deb")
    poll("the service is up", service.is_up)


def active(container):
    """Those of the units that were enabled which run or wait."""
    return sorted(unit for unit in made(2) if container.out(
        "systemctl", "is-active", unit, check=False) == "active")


def modes(checks, container):
    """Nobody but root may write what we install, or read the credentials."""
    script = ("dpkg -L " + " ".join(name for name, *_ in TABLE) +
              " | grep geofence | xargs stat -c '%A %U:%G %n' | sort -u")
    lines = [line for line in container.out("sh", "-c", script).splitlines() if line[0] != "l"]
    odd = [line for line in lines if line.split()[:2] not in (
        ["drwxr-xr-x", "root:root"], ["-rw-r--r--", "root:root"], ["-rwxr-xr-x", "root:root"])]
    checks.same(odd, ["drwx------ root:root /etc/geofenced/credentials"],
                "only root may write what is installed, and read credentials")
