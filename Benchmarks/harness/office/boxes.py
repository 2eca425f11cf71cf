"""A broker with ten thousand boxes over TLS."""

import subprocess

from .. import process
from ..report import Row, plain
from . import rig

BOXES = 10_000
# Events of a box in a day, and the factor of the peak.
EVENTS_A_DAY, PEAK = 1000, 5


class Crowd:
    """The program of Floors/tlsboxes.c."""

    def __init__(self, bench, ours, count):
        self.program = process.start(
            [bench.instruments / "tlsboxes", ours.port, count, ours.work / "certificate.pem",
             rig.fleet.TENANT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            stderr=None)
        self.values = self._read()

    def _read(self):
        lines = []
        for line in self.program.stdout:
            if line.strip() == "ready":
                return process.values("".join(lines))
            lines.append(line)
        raise RuntimeError("the boxes have ended")

    def publish(self, rate, seconds):
        self.program.stdin.write(f"publish {rate} {seconds}\n")
        self.program.stdin.flush()
        return self._read()

    def stop(self):
        process.stop(self.program)


def broker(bench):
    bench.need("mosquitto", "openssl", "psql")
    wanted = BOXES // 10 if bench.quick else BOXES
    possible = rig.allow_descriptors() - 200
    count = min(wanted, possible)
    limit = "" if count == wanted else f"; for {wanted:,} there are too few descriptors here"
    with rig.office(tls=True) as ours:
        ingest = ours.ingest(credentials=ours.credentials)
        rig.backend(ours)
        pid = ours.mosquitto.pid
        memory, before = process.pss(pid), process.cpu(pid)
        crowd = Crowd(bench, ours, count)
        count = int(crowd.values["boxes"])
        handshake = (process.cpu(pid) - before) / count
        bench.figures |= {"boxes": count, "handshake": handshake,
                          "bytes_connection": (process.pss(pid) - memory) / count}
        yield Row("a TLS connection, the broker's CPU", "–", handshake * 1000, unit="ms",
                  shown=f"{count:,} boxes in {plain(crowd.values['seconds'])} s{limit}")
        yield Row("a TLS connection, the broker's memory (PSS)", "–",
                  bench.figures["bytes_connection"] / 1000, unit="kB")
        rate = count * EVENTS_A_DAY * PEAK / 86_400
        seconds = 10 if bench.quick else 60
        for name, speed in [("at their peak", rate), ("as fast as they can", 20_000)]:
            used = {"broker": process.cpu(pid), "ingest": process.cpu(ingest.pid)}
            done = crowd.publish(speed, seconds)
            used = {"broker": process.cpu(pid) - used["broker"],
                    "ingest": process.cpu(ingest.pid) - used["ingest"]}
            if done["acknowledged"] < done["sent"] or done["unheard"] \
                    or done["lost"] > crowd.values["failed"]:
                raise RuntimeError(f"the broker has lost something: {done}")
            each = used["broker"] / done["sent"]
            shown = f"{plain(done['sent'] / seconds)} events/s, {plain(each * 1e6)} µs each"
            if speed == rate:
                share = used["broker"] / seconds * 100
                bench.figures["broker_event"] = each
                yield Row(f"{count:,} TLS boxes {name}, of one core", "–", share, 100, unit="%",
                          shown=f"{EVENTS_A_DAY:,} events a day × {PEAK}: {shown}")
            else:
                bench.figures["broker_busy"] = each
                yield Row(f"events a core-second of the broker, {name}", "–", 1 / each,
                          aim=60_000, least=True, unit="events", shown=shown)
        crowd.stop()
