"""The map of a fleet's board, in Chromium: for `make test-board`."""

import base64
import json
import re
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from page import expect, frames, key, picture, size, text


def wait(what, condition, seconds=10):
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            expect(False, f"no {what} in {seconds} s")
            return None
        time.sleep(0.02)
    return value


def words(driver, name):
    return driver.execute_script("return document.getElementById(arguments[0]).innerText", name)


def spots(driver):
    """Title and number of each mark's parts: what is drawn, not what is listed."""
    return driver.execute_script("""
        const { layer } = board.map;
        return layer && board.map.areas ? Object.fromEntries(layer.spots.map(
            each => [each.name, each.count])) : {};""")


def tap(driver, name):
    """Clicks where the mark of a place is drawn."""
    x, y = driver.execute_script("""
        board.map.layer.draw();
        const target = board.map.layer.targets.find(each => each.mark.spots.some(
            spot => spot.name === arguments[0]));
        const box = document.getElementById('chart').getBoundingClientRect();
        return [box.left + target.x, box.top + target.y];""", name)
    actions = ActionChains(driver)
    actions.w3c_actions.pointer_action.move_to_location(int(x), int(y))
    actions.w3c_actions.pointer_action.click()
    actions.perform()


def check_unknown_areas(driver, address):
    """Before any set of fences is published: who is inside is not said to be nowhere."""
    base = address.split("#")[0]
    driver.get(base + "?view=map")
    wait("who is inside", lambda: "M-TR-4412" in words(driver, "off"))
    said = words(driver, "spots"), text(driver, "map-at")
    expect(said == ("Inside, but the area is not known: 5", "Vehicles: 5 · places: 3"), f"of them: {said}")
    driver.get(base + "?view=map&q=m-tr-300")
    wait("one of which nothing is known", lambda: "M-TR-300" in words(driver, "off"))
    expect(not words(driver, "spots"), f"what is found is not nothing: {words(driver, 'spots')}")
    driver.get(base)


def check_map(office, driver, address, pictures):
    base = address.split("#")[0]
    office.event("W-AY-1", 1, "enter", "harbour", "Harbour", 60)
    office.event("W-AY-1", 2, "exit", "harbour", "Harbour", 12, stay=2880,
                 details='{"latitude": 48.1005, "longitude": 11.6182}')
    office.event("W-AY-2", 1, "enter", "harbour", "Harbour", 60)
    office.event("W-AY-2", 2, "exit", "harbour", "Harbour", 14, stay=2760)
    # Since it left, it has told where it is.
    office.event("W-AY-3", 1, "exit", "harbour", "Harbour", 30, stay=60)
    office.position("W-AY-3", 48.1505, 11.6982, 2)
    # Inside of two: where it came last.
    office.event("M-TR-77", 1, "enter", "city", "Munich", 90)
    office.event("M-TR-77", 2, "enter", "harbour", "Harbour", 8)
    office.event("NO-AREA", 1, "enter", "somewhere", "Somewhere", 5)
    # Latitudes that are none are no place.
    office.event("NO-NUMBER", 1, "exit", "harbour", "Harbour", 20, stay=60,
                 details='{"latitude": "<b>", "longitude": 1e300}')
    driver.get(base + "?view=map")
    wait("marks", lambda: len(spots(driver)) == 5 and spots(driver).get("Harbour") == 2)
    drawn = spots(driver)
    expect(drawn.get("Harbour") == 2 and drawn.get("Warehouse Süd, dock 4–7") == 3
           and drawn.get("W-AY-1") == 1 and drawn.get("W-AY-3") == 1, f"marks: {drawn}")
    listed, off = words(driver, "spots"), words(driver, "off")
    expect("Inside: 3 · 51 min over" in listed or "Inside: 3 · 52 min over" in listed,
           f"over, in words: {listed}")
    for line in ["On the way: last known position", "W-AY-1 (Left Harbour, ",
                 "On the way: no position was sent", "W-AY-2 (Left Harbour, ", "NO-NUMBER (Left Harbour",
                 "Inside, but the area is not known", "NO-AREA (Somewhere)",
                 "Nothing is known yet of where they are", "M-TR-300"]:
        expect(line in off, f"not at a place: {line} is not in {off}")
    expect(re.search(r"W-AY-3 \(\d\d:\d\d\)", off), f"the time of a position: {off}")
    expect("<script>" in listed, "a hostile title is text")
    picture(driver, pictures, "board-map")
    small = driver.execute_script("""
        return [...document.querySelectorAll('.spot, #whole, #spots-more, .leaflet-bar a')]
            .map(each => each.getBoundingClientRect())
            .filter(box => box.width > 0 && (box.width < 43.5 || box.height < 43.5)).length""")
    expect(small == 0, f"{small} targets of the map are below 44 pixels")
    # A click on the map, and the same by keyboard in the list.
    tap(driver, "Warehouse Süd, dock 4–7")
    wait("the vehicles of a place", lambda: "M-TR-4412\nsince " in words(driver, "spots"))
    expect("driver 17 · 1 h 3" in words(driver, "spots"), f"a stay: {words(driver, 'spots')}")
    picture(driver, pictures, "board-map-chosen")
    head = driver.find_element("css selector", ".spot[aria-expanded=true]")
    head.send_keys(Keys.ENTER)
    wait("a closed place", lambda: "M-TR-4412" not in words(driver, "spots"))
    expect(driver.switch_to.active_element.get_attribute("aria-expanded") == "false",
           "who goes by keyboard stays where he was")
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    driver.find_element("css selector", "#spots .plain").click()
    wait("the events of a stay", lambda: "Certain: 29 m inside" in text(driver, "stay-events"))
    driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    check_link(driver, base)
    check_search(driver, base)
    check_live(office, driver, base)
    check_print(driver, base, pictures)
    for name, width, height, theme in [("night", 1280, 800, "n"), ("phone", 400, 860, "")]:
        size(driver, width, height)
        driver.get(base + "?view=map")
        wait("marks", lambda: spots(driver))
        if theme:
            key(driver, theme)
        frames(driver)
        picture(driver, pictures, f"board-map-{name}")
        if theme:
            key(driver, theme)
    size(driver, 1280, 800)
    driver.get(base)
    wait("now", lambda: text(driver, "places"))


def check_link(driver, base):
    """What somebody sees can be sent to somebody: the part of the map, too."""
    driver.find_element("id", "chart").send_keys("+", Keys.ARROW_RIGHT)
    link = wait("a place in the address", lambda: "at=" in driver.current_url and driver.current_url)
    time.sleep(0.5)
    link = driver.current_url

    def middle():
        return driver.execute_script("const { lat, lng } = board.map.map.getCenter(); return "
                                     "[lat.toFixed(4), lng.toFixed(4), board.map.map.getZoom()]")
    before = middle()
    driver.get("about:blank")
    driver.get(link)
    wait("marks", lambda: spots(driver))
    expect(middle() == before, f"{link} shows {middle()}, not {before}")
    driver.find_element("id", "whole").click()
    expect("at=" not in driver.current_url, "the whole fleet needs no place in the address")
    driver.get(base + "?view=map&at=99999,<b>,3")
    wait("marks", lambda: spots(driver))


def check_search(driver, base):
    driver.get(base + "?view=map&q=driver+204")
    wait("what a link looks for", lambda: spots(driver) == {"Warehouse Süd, dock 4–7": 1})
    driver.find_element("id", "view-now").click()
    wait("the same in another view", lambda: "M-TR-2020" in text(driver, "places")
         and "M-TR-4412" not in text(driver, "places"))
    driver.back()
    driver.get(base + "?view=map&q=nobody")
    wait("nothing found", lambda: "Nothing is found." in text(driver, "spots"))


def check_live(office, driver, base):
    driver.get(base + "?view=map")
    wait("marks", lambda: spots(driver).get("Harbour") == 2)
    office.event("M-TR-77", 3, "exit", "harbour", "Harbour", 0, stay=480,
                 details='{"latitude": 48.12, "longitude": 11.6}')
    begun = time.monotonic()
    # It is in the city still, of which no area is known.
    wait("a vehicle that moves", lambda: spots(driver).get("Harbour") == 1
         and "M-TR-77 (Munich)" in words(driver, "off"), 3)
    took = time.monotonic() - begun
    expect(took < 1, f"a vehicle moves after {took:.2f} s")
    # A set that is published has new areas.
    city = {"type": "Feature", "id": "city", "properties": {"title": "Munich"}, "geometry": {
        "type": "Polygon", "coordinates": [[[11.4, 48.06], [11.72, 48.06], [11.72, 48.22],
                                            [11.4, 48.22], [11.4, 48.06]]]}}
    office.publish([city], origin="region")
    wait("a new area", lambda: spots(driver).get("Munich") == 1, 3)


def check_print(driver, base, pictures):
    driver.get(base + "?view=map")
    wait("marks", lambda: spots(driver))
    printed = base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
    expect(printed.startswith(b"%PDF") and len(printed) > 5000, "printed")
    if pictures:
        (pictures / "board-map.pdf").write_bytes(printed)


def check_large_map(office, driver, address, places, used):
    """`used()` is the processor's time of the page until now, s."""
    office.large_areas(places)
    times = []
    for _ in range(3):
        driver.get(address.split("#")[0] + "?view=map")
        wait("the map of a large fleet", lambda: driver.execute_script("return board.map.drawnAt"), 20)
        times.append(driver.execute_script("return board.map.drawnAt") / 1000)
    drawn = driver.execute_script("return board.map.layer.spots.length")
    expect(drawn > places * 0.99, f"{drawn} marks of {places} places")
    sent = driver.execute_async_script("""
        const done = arguments[0];
        Promise.all(['/v1/areas', '/v1/last'].map(path => board.feed.ask(path)
            .then(answer => answer.text()).then(text => text.length))).then(done);""")
    count, begun = 5, used()
    for _ in range(count):
        driver.execute_async_script("const done = arguments[0]; board.ask().then(() => "
                                    "requestAnimationFrame(() => requestAnimationFrame(done)))")
    update = (used() - begun) / count
    print(f"the map of it: seen after {min(times):.2f} s, {update * 1000:.0f} ms for what is new; "
          f"{sent[0] / 1e3:.0f} kB of areas, {sent[1] / 1e3:.0f} kB of last events")
    # As in test-board.
    expect(min(times) < 3 and update < 0.4 and sent[0] < 2e6,
           f"the map of a large fleet: {json.dumps([times, update, sent])}")
