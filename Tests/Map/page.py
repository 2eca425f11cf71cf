"""What the tests of both pages do with Debian's Chromium."""

import json
import sys

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

# WCAG 2.1, 1.4.3 and 1.4.11.
TEXT_CONTRAST, STROKE_CONTRAST = 4.5, 3.0
# 1.4.6: what a driver reads at a glance, in the sun.
WARNING_CONTRAST = 7.0

problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)
        print("failed: " + what, file=sys.stderr)


def browser(rules="MAP * ~NOTFOUND"):
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                     "--host-resolver-rules=" + rules, "--disable-dev-shm-usage",
                     "--allow-file-access-from-files=false"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.execute_cdp_cmd("Network.enable", {})
    return driver


def requests(driver):
    """Addresses that were asked for since the last call, without those that the policy stopped."""
    asked = {}
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        parameters = message["params"]
        if message["method"] == "Network.requestWillBeSent":
            asked[parameters["requestId"]] = parameters["request"]["url"]
        elif (message["method"] == "Network.loadingFailed"
              and parameters.get("blockedReason") == "csp"):
            asked.pop(parameters["requestId"], None)
    return list(asked.values())


def frames(driver):
    """Waits until the page has drawn twice."""
    driver.execute_async_script(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));")


def size(driver, width, height):
    # --window-size would count the browser's own edges.
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def key(driver, text):
    driver.execute_script(
        "document.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))",
        text)


def text(driver, name):
    return driver.execute_script("return document.getElementById(arguments[0]).textContent", name)


def luminance(colour):
    channels = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def check_contrast(driver, theme):
    def colour(name):
        return driver.execute_script(
            "return getComputedStyle(document.documentElement).getPropertyValue(arguments[0]).trim()",
            "--" + name)[:7]
    for name in ["text", "weak", "hazard", "inside", "leave", "refused", "accent"]:
        found = contrast(colour(name), colour("back"))
        expect(found >= TEXT_CONTRAST, f"{theme}: {name} on back has a contrast of {found:.1f}")
    for name in ["refused", "warn"]:
        found = contrast(colour(name), colour("back"))
        expect(found >= WARNING_CONTRAST, f"{theme}: a banner of {name} has a contrast of {found:.1f}")
    for name in ["inside", "outside", "other", "hazard", "metafence", "chosen", "track", "refused",
                 "track-ahead"]:
        found = contrast(colour(name), colour("ground"))
        expect(found >= STROKE_CONTRAST, f"{theme}: {name} on ground has a contrast of {found:.1f}")


def check_targets(driver, what):
    small = driver.execute_script("""
        return [...document.querySelectorAll('button, summary, .leaflet-bar a, [role=slider]')]
            .map(each => [each.id || each.className, each.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && (box.width < 44 || box.height < 43.5))
            .map(([name, box]) => name + ' ' + box.width + '×' + box.height)""")
    expect(not small, f"{what}: targets below 44 pixels: {small[:4]}")


def check_layout(driver, what):
    outside = driver.execute_script("""
        return [...document.querySelectorAll('header button, footer > *, #card, #map')]
            .map(each => [each.id, each.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && (box.left < -1 || box.top < -1
                || box.right > innerWidth + 1 || box.bottom > innerHeight + 1))
            .map(([name]) => name)""")
    expect(not outside, f"{what}: beyond the edge: {outside}")


def check_console(driver, what):
    messages = [entry["message"] for entry in driver.get_log("browser")]
    expect(not messages, f"{what}: on the console: {messages[:3]}")


def picture(driver, pictures, name):
    if pictures:
        driver.save_screenshot(str(pictures / f"{name}.png"))
