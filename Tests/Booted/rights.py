"""A right that polkit withdraws, with the shipped bus policy and the real polkitd."""

import pathlib
import subprocess
import sys
import tempfile

from container import poll
from service import NAME

RULE = "/etc/polkit-1/rules.d/10-rights.rules"
# Runs as another user in the container's PID namespace, where polkitd looks its process up: with the
# interpreter of this side, and the bus as its working directory.
SUBSCRIBER = """
import time
caller = Caller("system_bus_socket")
nothing = struct.pack("<I", 0) + bytes(4)
print("subscribed", caller.ask("CreateSubscription", "a{sv}", nothing)[0], flush=True)
serial, due, said = None, 0, None
while True:
    if serial is None and time.monotonic() >= due:
        serial = caller.call("ReadEvents", "tu", struct.pack("<QI", 0, 1))
    if not caller.data and not select.select([caller.socket], [], [], 0.05)[0]:
        continue
    kind, fields, body = caller.read()
    if kind == SIGNAL and fields.get(3) == "Transition":
        print("heard", struct.unpack_from("<Q", body)[0], flush=True)
    elif kind in (RETURN, ERROR) and fields.get(5) == serial:
        serial, due = None, time.monotonic() + 0.1
        word = fields.get(4) or "may read"
        if word != said:
            print(word, flush=True)
        said = word
"""


class Subscriber:
    """A program of that user that subscribes to events, and asks again and again to read them."""

    def __init__(self, container, user):
        uid, gid = (container.out("id", flag, user) for flag in ("-u", "-g"))
        rawbus = pathlib.Path(__file__).with_name("rawbus.py").read_text()
        self.output = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            ["nsenter", "-t", str(container.leader), "-p", "--", "setpriv", f"--reuid={uid}",
             f"--regid={gid}", "--clear-groups", sys.executable, "-c", rawbus + SUBSCRIBER],
            cwd=f"/proc/{container.leader}/root/run/dbus", stdin=subprocess.DEVNULL,
            stdout=self.output, stderr=subprocess.STDOUT)

    def lines(self):
        self.output.seek(0)
        return self.output.read().splitlines()

    def heard(self):
        return [int(line.split()[1]) for line in self.lines() if line.startswith("heard ")]

    def answer(self):
        """What ReadEvents answered last."""
        answers = [line for line in self.lines() if not line.startswith(("heard", "subscribed"))]
        return answers[-1] if answers else ""

    def end(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        for child in children.read_text().split():
            subprocess.run(["kill", child], check=False)
        self.process.wait(20)


def set_rule(container, result):
    """What polkit says to the outsider who wants to read events."""
    new = container.path(RULE + ".new")
    new.write_text(
        "polkit.addRule(function(action, subject) {\n"
        f'  if (action.id == "{NAME}.read-events" && subject.user == "outsider")'
        f" return polkit.Result.{result};\n}});\n")
    new.chmod(0o644)
    # polkitd reads a new file at once.
    new.rename(container.path(RULE))


def withdrawn(checks, service, drive):
    """A subscriber whose right polkit withdraws in the middle of a drive"""
    container = service.container
    container.run("useradd", "--create-home", "outsider", check=False)
    receiver = service.begin(drive)
    began = service.cursor()
    set_rule(container, "YES")
    poll("polkit allows it", lambda: container.run(
        "geofencectl", "events", user="outsider", check=False).returncode == 0, 30, 0.2)
    subscriber = Subscriber(container, "outsider")
    try:
        poll("the outsider reads", lambda: subscriber.answer() == "may read", 30)
        service.drive_on(receiver, 176)
        last = service.events()[-1]["seq"]
        poll("the outsider hears events", lambda: (subscriber.heard() or [0])[-1] == last, 10)
        set_rule(container, "NO")
        poll("the right ends", lambda: subscriber.answer().endswith(".NotAuthorized"), 5)
        checks.check(True, "a rule that says no ends the right to read at once")
        poll("the subscription ends",
             lambda: service.said("may not read events any more", began), 5)
        service.drive_on(receiver, len(drive.epochs))
        checks.check(service.events()[-1]["seq"] > last, "events follow")
        checks.check(subscriber.heard()[-1] == last, "the subscriber hears none of them",
                     subscriber.lines())
        # Without an answer nobody may.
        set_rule(container, "YES")
        poll("polkit allows it again", lambda: subscriber.answer() == "may read", 30)
        container.run("systemctl", "mask", "--runtime", "--now", "polkit.service")
        poll("no answer is no right", lambda: subscriber.answer().endswith(".NotAuthorized"), 40)
        checks.check(True, "while polkit does not answer the right is refused")
    finally:
        subscriber.end()
        container.run("systemctl", "unmask", "--runtime", "polkit.service", check=False)
        container.run("systemctl", "start", "polkit.service", check=False)
        container.path(RULE).unlink(missing_ok=True)
    receiver.unplug()
