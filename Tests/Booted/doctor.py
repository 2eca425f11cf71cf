"""geofencectl doctor on a booted box: what only the unit, polkit, the system bus and journald can do to
it. What local processes can do is in ProcessTests."""

import json
import pathlib
import subprocess

from container import poll
from receiver import RealTimeDrive
from service import NAME, PATH

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/examples"
DROP_INS = "/etc/systemd/system/geofenced.service.d"
SETTINGS = "/etc/geofenced/geofenced.conf.d/90-doctor.conf"
OTHER = "192.168.1.1"
FILTER = "/run/systemd/system/gpsd.socket.d/90-doctor.conf"
JOURNALD = "/run/systemd/journald.conf.d/90-doctor.conf"
# The units that ship, without their programs: whether they run is what is asked for.
SHIPPED = pathlib.Path(__file__).resolve().parent.parent.parent / "systemd/usr/lib/systemd/system"
UNITS = "/run/systemd/system"
COMPANIONS = ("geofenced-alert.service", "geofenced-can.service", "geofenced-sync@.service",
              "geofenced-sync@.timer", "geofenced-uplink@.service")
# An address for the loopback device, beside its own (SIOCSIFADDR): there may be no ip(8).
ADDRESS = f"""import fcntl, socket, struct
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
fcntl.ioctl(s, 0x8916, struct.pack("16sHH4s8x", b"lo:1", socket.AF_INET, 0, socket.inet_aton("{OTHER}")))
"""


class Doctor:
    """Runs it while the vehicle drives, as a receiver sends while somebody looks."""

    def __init__(self, checks, service, receiver):
        self.checks = checks
        self.service = service
        self.container = service.container
        self.receiver = receiver

    def findings(self, user=None):
        """The steps, and the exit status."""
        program = self.container.start(*(["runuser", "-u", user, "--"] if user else []),
                                       "geofencectl", "--json", "doctor")
        while program.poll() is None:
            self.receiver.drive_for(0.2)
        output, errors = program.communicate(timeout=20)
        if errors:
            raise RuntimeError(errors)
        return [json.loads(line) for line in output.splitlines()], program.returncode

    def names(self, cause, what, user=None):
        """Whether that is the first cause it names, and the exit status fits."""
        steps, status = self.findings(user)
        causes = [step["cause"] for step in steps if step["cause"]]
        bad = any(step["verdict"] == "bad" for step in steps)
        seen = [f"{s['verdict']} {s['step']}: {s['cause']}: {s['evidence']}" for s in steps]
        self.checks.check((causes[:1] or [None]) == [cause] and status == int(bad),
                          f"{what}: {cause or 'nothing is wrong'}", f"exit status {status}", *seen)

    def set(self, text):
        """The settings of this test, read by a daemon that starts with them."""
        self.container.path(SETTINGS).write_text(text)
        self.container.run("systemctl", "daemon-reload")
        self.container.run("systemctl", "restart", "geofenced.service")
        poll("the service is up", self.service.is_up)

    def drop_in(self, folder, name, *replaced):
        """The drop-in that the package has under that name, with the administrator's values."""
        shipped = self.container.path(f"/usr/share/doc/geofenced/examples/{folder}/{name}")
        self.checks.check(shipped.exists(), f"the package has {folder}/{name}")
        text = (EXAMPLES / folder / name).read_text()
        for old, new in replaced:
            text = text.replace(old, new)
        path = self.container.path(f"{DROP_INS}/{name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def examined(checks, service, work):
    """doctor: the unit, polkit, the system bus and journald, each broken"""
    container = service.container
    run = container.run
    receiver = service.begin(RealTimeDrive(work), settings=None)
    receiver.drive_for(3)
    doctor = Doctor(checks, service, receiver)
    forwarder = None
    try:
        doctor.names(None, "as installed, on a drive")
        text = container.out("geofencectl", "doctor", check=False)
        checks.check("good      sandbox" in text, "it has asked the service manager", text)
        forwarder = forbidden_address(doctor)
        forbidden_device(doctor)
        doctor.set("")
        callers(doctor)
        stopped(doctor)
        ownerless(doctor)
        filtered(doctor)
        beside(doctor)
        without_journal(doctor)
        explained(checks, service)
    finally:
        if forwarder:
            container.stop(forwarder)
        for path in (SETTINGS, f"{DROP_INS}/10-other-gpsd.conf", f"{DROP_INS}/10-own-receiver.conf",
                     f"{DROP_INS}/90-doctor.conf", FILTER, JOURNALD,
                     *(f"{UNITS}/{name}" for name in COMPANIONS)):
            container.path(path).unlink(missing_ok=True)
        run("systemctl", "daemon-reload")
        run("systemctl", "reset-failed", check=False)
        run("systemctl", "restart", "geofenced.service")
        poll("the service is up", service.is_up)
        receiver.unplug()


def forbidden_address(doctor):
    """A gpsd elsewhere: the unit forbids it, the drop-in of the package allows it."""
    container = doctor.container
    subprocess.run(["nsenter", "-t", str(container.leader), "-n", "--", "/usr/bin/python3", "-c",
                    ADDRESS], check=True)
    # The same gpsd, at an address that is none of localhost.
    forwarder = container.start(
        "systemd-socket-activate", "-l", f"{OTHER}:2947",
        "/lib/systemd/systemd-socket-proxyd", "127.0.0.1:2947")
    doctor.set(f"[Source]\nURI=gpsd://{OTHER}\n")
    doctor.names("address-forbidden", f"gpsd at {OTHER}, and the unit as shipped")
    doctor.drop_in("other-gpsd", "10-other-gpsd.conf", ("192.168.1.1", OTHER))
    # systemd does not count a directory of drop-ins that is new as a change before it is reloaded.
    doctor.names("address-forbidden", "the drop-in is there, and was not read")
    doctor.set(f"[Source]\nURI=gpsd://{OTHER}\n")
    poll("fixes come from there", lambda: in_time(doctor), 60)
    doctor.names(None, "with the drop-in it hears that gpsd")
    return forwarder


def fixed(doctor):
    doctor.receiver.drive_for(0.2)
    return doctor.service.property("PositionState") == "known"


def in_time(doctor):
    """Whether fixes are accepted, and none is refused, for a second."""
    before = doctor.service.property("FixCounters")
    doctor.receiver.drive_for(1)
    after = doctor.service.property("FixCounters")
    changed = {name for name in after if after[name] != before[name]}
    return changed == {"accepted"}


def forbidden_device(doctor):
    """A receiver without gpsd: likewise, and the group of its device."""
    line = doctor.receiver.line.name
    doctor.set(f"[Source]\nURI=nmea:{line}\n")
    doctor.names("device-forbidden", f"a receiver at {line}, and the unit as shipped")
    doctor.drop_in("own-receiver", "10-own-receiver.conf", ("/dev/ttyUSB0", line),
                   ("SupplementaryGroups=dialout\n", ""))
    doctor.set(f"[Source]\nURI=nmea:{line}\n")
    doctor.names("receiver-denied", "its device is allowed, and the group is missing")
    doctor.container.path(f"{DROP_INS}/10-own-receiver.conf").unlink()


def callers(doctor):
    """Another user; polkit without our actions."""
    container = doctor.container
    poll("fixes come", lambda: fixed(doctor), 60)
    if container.run("id", "outsider", check=False).returncode != 0:
        container.run("useradd", "--create-home", "outsider")
    doctor.names("not-authorised", "a user without rights", user="outsider")
    policy = container.path(f"/usr/share/polkit-1/actions/{NAME}.policy")
    aside = policy.with_suffix(".aside")
    policy.rename(aside)
    try:
        doctor.names("polkit-ignorant", "polkit without the actions of geofenced")
    finally:
        aside.rename(policy)


def stopped(doctor):
    """The daemon stopped, masked, and one that ends at once."""
    run = doctor.container.run
    run("systemctl", "stop", "geofenced.service")
    doctor.names("daemon-stopped", "the service is stopped")
    checks = doctor.checks
    checks.check(doctor.service.unit("ActiveState") == "inactive", "and doctor has not started it")
    run("systemctl", "mask", "geofenced.service")
    doctor.names("daemon-absent", "the service is masked")
    run("systemctl", "unmask", "geofenced.service")
    path = doctor.container.path(f"{DROP_INS}/90-doctor.conf")
    path.write_text("[Service]\nExecStart=\nExecStart=/bin/false\nRestartSec=1h\n")
    run("systemctl", "daemon-reload")
    run("systemctl", "start", "geofenced.service", check=False)
    doctor.names("daemon-failing", "the service ends at once")
    path.unlink()
    doctor.set("")
    poll("fixes come", lambda: fixed(doctor), 60)


def ownerless(doctor):
    """No policy on the bus; a state directory of somebody else."""
    container = doctor.container
    run = container.run
    policy = container.path(f"/usr/share/dbus-1/system.d/{NAME}.conf")
    aside = policy.with_suffix(".aside")
    policy.rename(aside)
    try:
        run("systemctl", "reload", "dbus.service")
        doctor.names("bus-policy", "the bus lets nobody ask the service any more")
        run("systemctl", "restart", "geofenced.service")
        doctor.names("bus-policy", "the bus has no policy for the service")
    finally:
        aside.rename(policy)
        run("systemctl", "reload", "dbus.service")
        doctor.set("")
    poll("fixes come", lambda: fixed(doctor), 60)
    run("chown", "root:root", "/var/lib/geofenced")
    doctor.names("state-owner", "the state directory belongs to root")
    run("chown", "geofenced:geofenced", "/var/lib/geofenced")
    catalogue = "/var/lib/geofenced/catalogue.sqlite"
    run("chown", "root:root", catalogue)
    doctor.names("state-owner", "a file in it does, as after a copy")
    run("chown", "geofenced:geofenced", catalogue)
    fences = container.path("/etc/geofenced/fences.d/hidden.geojson")
    fences.touch(0o600)
    fences.write_text('{"type":"FeatureCollection","features":[]}')
    doctor.names("fence-file-unreadable", "a file of fences that root alone can read")
    fences.unlink()
    settings = container.path(SETTINGS)
    settings.chmod(0o600)
    doctor.names("setting-unreadable", "settings that root alone can read")
    settings.chmod(0o644)


def filtered(doctor):
    """What comes to gpsd is dropped, as by a packet filter; gpsd is stopped."""
    run = doctor.container.run
    path = doctor.container.path(FILTER)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[Socket]\nIPAddressDeny=any\n")
    run("systemctl", "daemon-reload")
    try:
        doctor.names("gpsd-filtered", "connections to gpsd are dropped")
    finally:
        path.unlink()
        run("systemctl", "daemon-reload")
    # What was held back comes late.
    poll("fixes come in time", lambda: in_time(doctor), 60)
    doctor.names(None, "and they are no more")


def beside(doctor):
    """Companions that are configured or registered, and do not run."""
    container, service = doctor.container, doctor.service
    run = container.run
    for name in COMPANIONS:
        container.path(f"{UNITS}/{name}").write_text((SHIPPED / name).read_text())
    run("systemctl", "daemon-reload")
    doctor.names(None, "companions are there, and none is configured")

    def consumer(call, signature, *values):
        run("busctl", "call", NAME, PATH, f"{NAME}.Manager", call, signature, *values)

    def file(name):
        path = container.path(f"/etc/geofenced/{name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        return path

    source = file("sources.d/office.conf")
    doctor.names("sync-stopped", "the timer of a source is disabled")
    run("systemctl", "start", "geofenced-sync@office.timer")
    run("systemctl", "start", "geofenced-sync@office.service", check=False)
    doctor.names("sync-fails", "the timer runs, and the look ends at once")
    run("systemctl", "stop", "geofenced-sync@office.timer")
    run("systemctl", "reset-failed", "geofenced-sync@office.service")
    source.unlink()

    destination = file("uplink.d/fleet.conf")
    doctor.names("uplink-unseen", "a destination has never run")
    consumer("RegisterConsumer", "sa{sv}", "org.geofenced.Uplink1.fleet", "0")
    doctor.names("uplink-stopped", "its unit does not run")
    destination.unlink()
    doctor.names("uplink-removed", "its configuration is gone")
    consumer("UnregisterConsumer", "s", "org.geofenced.Uplink1.fleet")

    consumer("RegisterConsumer", "sa{sv}", "org.geofenced.Alert1", "0")
    doctor.names("alert-stopped", "the voice is disabled")
    consumer("UnregisterConsumer", "s", "org.geofenced.Alert1")

    doctor.set("[Vehicle]\nWheels=yes\n")
    poll("fixes come", lambda: fixed(doctor), 60)
    doctor.names("can-stopped", "the vehicle's network is disabled")
    doctor.set("")
    poll("fixes come", lambda: fixed(doctor), 60)

    run("geofencectl", "add", "ramp", "--beacon", "f7826da6-4fa2-4e98-8024-bc5b71e0893e")
    poll("it is deaf", lambda: "beacons" in (service.property("Degraded") or []))
    doctor.names("bluetooth-stopped", "there are beacons, and no Bluetooth")
    run("geofencectl", "remove", "ramp")
    doctor.names(None, "and all is as before")


def without_journal(doctor):
    """journald is stopped, and its sockets with it."""
    run = doctor.container.run
    journald = "systemd-journald.service"
    storage = doctor.container.path(JOURNALD)
    storage.parent.mkdir(parents=True, exist_ok=True)
    storage.write_text("[Journal]\nStorage=none\n")
    run("systemctl", "restart", journald)
    doctor.names("journal-keeps-nothing", "Storage=none")
    storage.unlink()
    run("systemctl", "restart", journald)
    sockets = ("systemd-journald.socket", "systemd-journald-dev-log.socket")
    run("systemctl", "stop", journald, *sockets, check=False)
    try:
        doctor.names("journal-stopped", "journald is stopped")
    finally:
        run("systemctl", "start", *sockets, journald)
    poll("what waited is written",
         lambda: fixed(doctor) and not doctor.service.property("Degraded"), 60)
    doctor.names(None, "and started again")


def explained(checks, service):
    """The journal's explanations name the command."""
    container = service.container
    for name in ("geofenced", "geofenced-sync", "geofenced-uplink"):
        path = container.path(f"/usr/lib/systemd/catalog/{name}.catalog")
        if path.exists():
            checks.check("geofencectl doctor" in path.read_text(), f"{name}.catalog names doctor")
    text = container.out("journalctl", "-q", "-x", "--no-pager", "-u", "geofenced.service")
    checks.check("geofencectl doctor" in text, "and so does journalctl -x")
