# SPDX-License-Identifier: Apache-2.0
"""usage: strangers.py PROGRAMS [CHECK…]: see test-strangers."""
import http.server
import importlib
import json
import pathlib
import subprocess
import sys
import threading
import types
import urllib.parse
import urllib.request

from bench import ROOT, Bench, connects, free_port, wait_for

CHECKS = {}


def check(function):
    CHECKS[function.__name__.replace("_", "-")] = function
    return function


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def messages(bench, topics):
    """What paho gets of the topics: retained and new, as (topic, payload, properties of MQTT 5)."""
    import paho.mqtt.client as paho

    got = []
    client = paho.Client(client_id="stranger", protocol=paho.MQTTv5)
    client.on_connect = lambda client, *rest: [client.subscribe(topic, 1) for topic in topics]
    client.on_message = lambda client, data, message: got.append(
        (message.topic, message.payload, message.properties))
    client.connect("127.0.0.1", bench.port)
    client.loop_start()
    return client, got


class Hook:
    """A server of Python's own that keeps what it gets."""

    def __init__(self):
        self.requests = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                length = int(self.headers.get("Content-Length", 0))
                outer.requests.append((self.path, dict(self.headers), self.rfile.read(length)))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_POST = answer

            def log_message(self, *arguments):
                pass

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"


# Prometheus


@check
def promtool(bench):
    """Prometheus' own linter has nothing to say about the names, types and texts."""
    for text in [bench.ctl("metrics"), bench.ingest("metrics")]:
        said = bench.run("promtool", "check", "metrics", stdin=text)
        expect(not said, said)
    bench.run("promtool", "check", "rules", ROOT / "docs/examples/metrics/alerts.yml")


@check
def node_exporter(bench):
    """Its collector of text files takes both files."""
    directory = bench.path / "textfiles"
    directory.mkdir()
    bench.ctl("metrics", "--output", directory / "geofenced.prom")
    bench.ingest("metrics", "--output", directory / "fleet.prom")
    port = free_port()
    bench.start(
        "node_exporter", "prometheus-node-exporter", "--collector.disable-defaults",
        "--collector.textfile", f"--collector.textfile.directory={directory}",
        f"--web.listen-address=127.0.0.1:{port}")

    def scrape():
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
                return answer.read().decode()
        except OSError:
            return None

    text = wait_for("node_exporter", scrape)
    for line in ["node_textfile_scrape_error 0", "geofenced_up 1", "geofenced_events_total 3",
                 'geofenced_fleet_boxes{state="online",tenant="acme"} 0']:
        expect(f"\n{line}\n" in text, f"{line} is not in {text}")


@check
def prometheus(bench):
    """It scrapes the live map, with the token of the address, and answers a question."""
    port = free_port()
    bench.start(
        "map", bench.program("geofenced-map"), "--loopback", "--port", str(port), "--bus", bench.bus)
    address = wait_for("the map", lambda: [
        word for word in bench.log("map").split() if word.startswith("http://")])[0]
    token = address.partition("#")[2].rpartition("=")[2]
    own = free_port()
    conf = bench.file("prometheus.yml", f"""
global: {{scrape_interval: 1s}}
rule_files: [{ROOT}/docs/examples/metrics/alerts.yml]
scrape_configs:
  - job_name: box
    authorization: {{credentials: "{token}"}}
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
""")
    bench.start(
        "prometheus", "prometheus", f"--config.file={conf}", f"--storage.tsdb.path={bench.path}/tsdb",
        f"--web.listen-address=127.0.0.1:{own}")

    def ask():
        query = urllib.parse.quote("geofenced_events_total")
        try:
            with urllib.request.urlopen(
                    f"http://127.0.0.1:{own}/api/v1/query?query={query}", timeout=5) as answer:
                result = json.load(answer)["data"]["result"]
                return result and result[0]["value"][1]
        except OSError:
            return None

    found = wait_for("a sample", ask, 60)
    expect(found == "3", found)


# CloudEvents


@check
def cloudevents_mqtt(bench):
    """One event a message, which CloudEvents' SDK reads as it is; MQTT 5 says what it is."""
    from cloudevents.http import from_json

    client, got = messages(bench, ["cloudevents/#"])
    bench.uplink("ce", "Format=cloudevents")
    wait_for("three events", lambda: len(got) >= 3)
    client.loop_stop()
    events = [from_json(payload) for _, payload, _ in got]
    expect([event["type"] for event in events] == [
        "org.geofenced.initial.v1", "org.geofenced.exit.v1", "org.geofenced.enter.v1"], events)
    expect(events[2].data["event"]["title"] == "Yard", events[2])
    expect("latitude" not in events[2].data["event"], "a position has left")
    expect(all(properties.ContentType == "application/cloudevents+json; charset=utf-8"
               for _, _, properties in got), got)


@check
def cloudevents_binary(bench):
    """The same in binary mode: the attributes as properties of MQTT 5, and the data alone."""
    from cloudevents.http import CloudEvent

    client, got = messages(bench, ["cloudevents/#"])
    bench.uplink("ceb", "Format=cloudevents\nContentMode=binary")
    wait_for("three events", lambda: len(got) >= 3)
    client.loop_stop()
    # The constructor refuses what is no attribute, and an event without one that it must have.
    events = [CloudEvent(dict(properties.UserProperty), json.loads(payload))
              for _, payload, properties in got]
    expect([event["id"] for event in events] == ["1", "2", "3"], events)
    expect(events[2]["type"] == "org.geofenced.enter.v1" and events[2]["subject"], events[2])
    expect(events[2].data["event"]["title"] == "Yard", events[2])
    expect(all(properties.ContentType == "application/json" for _, _, properties in got), got)


@check
def cloudevents_http(bench):
    """The same of a web hook, in structured mode."""
    from cloudevents.http import from_http

    hook = Hook()
    bench.uplink("hook", "Type=webhook\nBatch=no", hook.url + "/hook")
    wait_for("three requests", lambda: len(hook.requests) >= 3)
    events = [from_http(headers, body) for _, headers, body in hook.requests]
    expect([event["id"] for event in events] == ["1", "2", "3"], events)
    expect(events[0]["source"].startswith("/acme/hook/"), events[0])


@check
def osmand(bench):
    """A query as OsmAnd's protocol has it, which Python's own parser reads again."""
    hook = Hook()
    bench.uplink(
        "osmand", "Type=webhook\nPosition=yes\n"
        "Query=id={box}&lat={latitude}&lon={longitude}&timestamp={time}&event={kind}&place={title}",
        hook.url + "/?key=1")
    wait_for("three requests", lambda: len(hook.requests) >= 3)
    queries = [urllib.parse.parse_qs(urllib.parse.urlparse(path).query) for path, _, _ in hook.requests]
    expect(queries[0]["place"] == ["Depot <1>"], queries[0])
    expect(queries[0]["key"] == ["1"] and queries[0]["id"] == ["osmand"], queries[0])
    expect(abs(float(queries[0]["lat"][0]) - 48) < 0.001, queries[0])


# Home Assistant


@check
def home_assistant_schema(bench):
    """The schema of its MQTT integration takes both configurations, and the values are what it reads."""
    from homeassistant.components.mqtt import device_tracker, discovery, event

    client, got = messages(bench, ["homeassistant/#", "geofenced/#"])
    bench.uplink("ha", "Format=homeassistant\nPosition=yes")
    wait_for("the events", lambda: sum(topic.endswith("/event") for topic, _, _ in got) >= 3)
    client.loop_stop()
    by_topic = {topic: payload for topic, payload, _ in got}
    for topic, schema in [
            ("homeassistant/device_tracker/geofenced_acme_ha/config", device_tracker.DISCOVERY_SCHEMA),
            ("homeassistant/event/geofenced_acme_ha/config", event.DISCOVERY_SCHEMA)]:
        match = discovery.TOPIC_MATCHER.match(topic.removeprefix("homeassistant/"))
        expect(match and match["component"] in discovery.SUPPORTED_COMPONENTS, topic)
        config = schema(json.loads(by_topic[topic]))
        if "event_types" in config:
            for topic, payload, _ in got:
                if topic == config["state_topic"]:
                    expect(json.loads(payload)["event_type"] in config["event_types"], payload)
    expect(by_topic["geofenced/acme/ha/place"] == b"Yard", by_topic)
    attributes = json.loads(by_topic["geofenced/acme/ha/attributes"])
    expect(abs(attributes["latitude"] - 48) < 0.01 and attributes["places"] == ["Yard"], attributes)


@check
def home_assistant(bench):
    """Home Assistant itself, at the same broker: it makes both entities, and says where the box is."""
    config = bench.path / "hass"
    storage = config / ".storage"
    storage.mkdir(parents=True)
    # It publishes the states of its entities, which we read.
    (config / "configuration.yaml").write_text(
        f"http: {{server_port: {free_port()}, server_host: 127.0.0.1}}\n"
        "mqtt_statestream: {base_topic: states, publish_attributes: true}\n")
    entry = {
        "entry_id": "0123456789abcdef0123456789abcdef", "version": 1, "minor_version": 2,
        "domain": "mqtt", "title": "broker", "data": {
            "broker": "127.0.0.1", "port": bench.port, "discovery": True,
            "discovery_prefix": "homeassistant"},
        "options": {}, "pref_disable_new_entities": False, "pref_disable_polling": False,
        "source": "user", "unique_id": None, "disabled_by": None}
    (storage / "core.config_entries").write_text(json.dumps({
        "version": 1, "minor_version": 1, "key": "core.config_entries",
        "data": {"entries": [entry]}}))
    client, got = messages(bench, ["states/#"])
    bench.uplink("hass", "Format=homeassistant\nPosition=yes")
    bench.start("homeassistant", pathlib.Path(sys.executable).with_name("hass"), "-c", config)

    def said(topic):
        return next((payload for found, payload, _ in reversed(got) if found == topic), None)

    try:
        wait_for("a tracker", lambda: said("states/device_tracker/hass/state") == b"Yard", 300)
        wait_for("its position", lambda: said("states/device_tracker/hass/latitude"))
        expect(abs(float(said("states/device_tracker/hass/latitude")) - 48) < 0.01, got)
        wait_for("its places", lambda: said("states/device_tracker/hass/places") == b'["Yard"]')
        wait_for("an event entity", lambda: said("states/event/hass_event/state") is not None)
        # Whether the daemon is there is the uplink's to say.
        for word in "offline", "online":
            client.publish("geofenced/acme/hass/availability", word, qos=1, retain=True)
            wait_for(f"a tracker that is {word}", lambda: (
                said("states/device_tracker/hass/state") == b"unavailable") == (word == "offline"))
    except AssertionError as why:
        raise AssertionError(f"{why}: {bench.log('homeassistant')[-2000:]}") from why
    finally:
        client.loop_stop()


@check
def owntracks(bench):
    """A location beside each transition, which the integration of Home Assistant reads."""
    # Its functions alone: the whole of the integration wants cameras and clouds.
    import homeassistant.components as components
    package = types.ModuleType("homeassistant.components.owntracks")
    package.__path__ = [str(pathlib.Path(components.__path__[0]) / "owntracks")]
    sys.modules[package.__name__] = package
    reader = importlib.import_module("homeassistant.components.owntracks.messages")

    client, got = messages(bench, ["owntracks/#"])
    bench.uplink("ot", "Format=owntracks\nPosition=yes")
    wait_for("six messages", lambda: len(got) >= 6)
    client.loop_stop()
    for topic, payload, _ in got:
        message = json.loads(payload)
        expect(message["_type"] in reader.HANDLERS, message)
        message["topic"] = topic.removesuffix("/event")
        name, seen = reader._parse_see_args(message, "owntracks/#")
        expect(name == "acme_ot" and abs(seen["gps"][0] - 48) < 0.01, seen)
    last = [json.loads(payload) for topic, payload, _ in got if topic == "owntracks/acme/ot"][-1]
    expect(last["_type"] == "location" and last["inregions"] == ["Yard"], last)


# A broker without shared subscriptions


@check
def ejabberd(bench):
    """With Shared=no the office gets every event of a box through a broker that cannot share."""
    port = free_port()
    home = bench.path / "ejabberd"
    home.mkdir()
    home.chmod(0o777)
    conf = bench.file("ejabberd.yml", f"""
hosts: [localhost]
listen:
  - {{port: {port}, ip: "127.0.0.1", module: mod_mqtt}}
auth_method: internal
auth_password_format: plain
modules:
  mod_mqtt:
    access_publish: {{"#": [{{allow: all}}]}}
    access_subscribe: {{"#": [{{allow: all}}]}}
""")
    control = [
        "ejabberdctl", "--config", conf, "--ctl-config", bench.file("ejabberdctl.cfg", ""),
        "--spool", home, "--logs", home, "--node", f"strangers{port}@localhost"]
    bench.start(
        "ejabberd", *control, "foreground", EJABBERD_BYPASS_WARNINGS="true", HOME=str(home))
    try:
        wait_for("ejabberd", lambda: connects(port), 60)
        for user in ["ingest", "ej"]:
            bench.run(*control, "register", user, "localhost", "secret")
        through_ejabberd(bench, port)
    finally:
        # It runs as a user of its own, under a shell of that.
        subprocess.run([str(word) for word in control] + ["stop"], capture_output=True)


def through_ejabberd(bench, port):
    bench.file("password", "secret")
    address = f"mqtt://127.0.0.1:{port}"
    own = bench.file(
        "ingest.conf", f"[Ingest]\nBrokers={address}\nShared=no\nDatabase={bench.database}\n"
        "[Auth]\nUser=ingest@localhost\nPassword=@password\n")
    bench.start(
        "ingest", bench.program("geofenced-ingest"), "run", "--config", own,
        CREDENTIALS_DIRECTORY=str(bench.path))
    bench.uplink("ej", "[Auth]\nUser=ej@localhost\nPassword=@password", address)
    count = "SELECT count(*) FROM fleet.event e JOIN fleet.box b ON b.id = e.box WHERE b.name = 'ej'"
    try:
        wait_for("the events", lambda: bench.sql(count).strip() == "3", 60)
    except AssertionError as why:
        logs = "".join(bench.log(name)[-2000:] for name in ["ejabberd", "ingest", "ej"])
        raise AssertionError(f"{why}: {logs}") from why
    state = bench.sql("SELECT fence, inside FROM fleet.last_place WHERE box = 'ej'").strip()
    expect(state == "yard|t", state)
    lines = bench.ingest("metrics").splitlines()
    expect('geofenced_fleet_boxes{tenant="acme",state="online"} 1' in lines, lines)


# Maps


@check
def gdal(bench):
    """ogr2ogr reads fences as KML, with their names and shapes."""
    kml = bench.file("fences.kml", bench.ctl("export", "--format", "kml"))
    text = bench.run("ogr2ogr", "-f", "GeoJSON", "/vsistdout/", kml)
    features = json.loads(text)["features"]
    shapes = {feature["properties"]["Name"]: feature["geometry"]["type"] for feature in features}
    expect(shapes == {"Depot <1>": "Point", "Yard": "Polygon", "Lane": "LineString"}, shapes)


@check
def gpsbabel(bench):
    """gpsbabel reads areas of KML, and circles of GPX with their names."""
    kml = bench.file("places.kml", bench.ctl("export", "--format", "kml"))
    text = bench.run("gpsbabel", "-i", "kml", "-f", kml, "-o", "unicsv", "-F", "-")
    expect("Depot" in text, text)
    other = Bench(bench.programs)
    try:
        other.FENCES = json.dumps({
            "type": "FeatureCollection", "features": json.loads(Bench.FENCES)["features"][:1]})
        other.box(events=2)
        gpx = other.file("places.gpx", other.ctl("export", "--format", "gpx"))
        text = other.run("gpsbabel", "-i", "gpx", "-f", gpx, "-o", "unicsv", "-F", "-")
        expect("depot" in text and "Depot <1>" in text, text)
    finally:
        other.close()


@check
def postgis(bench):
    """GDAL, and so QGIS, opens the office's layers with their geometries."""
    published = bench.file("set.geojson", json.dumps({
        "type": "FeatureCollection", "origin": "source/places", "hash": "h1",
        "features": json.loads(Bench.FENCES)["features"]}))
    bench.ingest("fences", "--tenant", "acme", published)
    # A box is there after the check of ejabberd.
    places = {"Point"} if bench.sql("SELECT 1 FROM fleet.last_place").strip() else set()
    for layer, kinds in [("area_drawn", {"Polygon"}), ("last_place_drawn", places)]:
        text = bench.run(
            "ogr2ogr", "-f", "GeoJSON", "/vsistdout/",
            "PG:" + bench.database, f"fleet.{layer}")
        found = {feature["geometry"]["type"] for feature in json.loads(text)["features"]}
        expect(found == kinds, f"{layer}: {found}")
    # Without PostGIS the same is a column of JSON.
    text = bench.sql("SELECT json_agg(geometry->'type') FROM fleet.area")
    expect(sorted(json.loads(text)) == ["LineString", "Point", "Polygon"], text)


# Qt


@check
def qt(bench):
    """qdbusxml2cpp makes classes of each interface; where Qt is there, one of them asks a daemon."""
    for xml in sorted((ROOT / "systemd/usr/share/dbus-1/interfaces").glob("*.xml")):
        bench.run(
            "qdbusxml2cpp", "-i", "geofence-types.h", "-p",
            bench.path / xml.stem.replace(".", "_").lower(), xml)
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "Qt5DBus"], capture_output=True, text=True)
    expect(flags.returncode == 0, "qtbase5-dev is not installed")
    source = bench.file("ask.cpp", """
#include "geofence-types.h"
#include "org_geofenced_geofence1.h"
#include <QtCore/QCoreApplication>
#include <cstdio>
int main(int count, char **arguments)
{
    QCoreApplication application(count, arguments);
    registerGeofenceTypes();
    auto bus = QDBusConnection::connectToBus(arguments[1], "own");
    OrgGeofencedGeofence1ManagerInterface daemon(
        "org.geofenced.Geofence1", "/org/geofenced/Geofence1", bus);
    auto fences = daemon.ListFences(QVariantMap(), 0, 0);
    fences.waitForFinished();
    if (fences.isError()) { std::puts(qPrintable(fences.error().message())); return 1; }
    for (const auto &fence : fences.value())
        std::printf("%s: %s\\n", qPrintable(fence.id), qPrintable(fence.details["title"].toString()));
    auto counters = daemon.fixCounters();
    std::printf("accepted %llu\\n", counters["accepted"]);
}
""")
    bench.run(
        "moc", bench.path / "org_geofenced_geofence1.h", "-o", bench.path / "moc.cpp")
    bench.run(
        "g++", "-fPIC", "-std=c++17", f"-I{ROOT}/docs/examples/qt", f"-I{bench.path}", source,
        bench.path / "org_geofenced_geofence1.cpp", bench.path / "moc.cpp", "-o",
        bench.path / "ask", *flags.stdout.split())
    text = bench.run(bench.path / "ask", bench.bus)
    expect("yard: Yard" in text and "accepted " in text, text)


def main():
    names = sys.argv[2:] or list(CHECKS)
    failed = []
    bench = Bench(sys.argv[1])
    try:
        bench.box()
        bench.broker()
        bench.office()
        for name in names:
            try:
                CHECKS[name](bench)
                print(f"good  {name}: {CHECKS[name].__doc__.splitlines()[0]}", flush=True)
            except Exception as why:  # Whatever a program of others throws fails its check alone.
                failed.append(name)
                print(f"FAIL  {name}: {type(why).__name__} {str(why)[:3000]}", flush=True)
    finally:
        bench.close()
    print(f"{len(names) - len(failed)} of {len(names)} good")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
