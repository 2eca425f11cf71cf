"""Somebody in the cab who sets the height of the vehicle, over and over."""

import itertools
import json
import threading

from machine import Silence

# mm: none is set twice.
HEIGHTS = itertools.count(2_000)


class Driver:
    """`asked`: the last height that was set, mm; `told`: the last of which the tool has said that it
    is in force and kept; `count`: how many that were."""

    def __init__(self):
        self.asked = self.told = None
        self.count = 0
        self.thread = None

    def begin(self, machine):
        self.thread = threading.Thread(target=self._set_heights, args=(machine,), daemon=True)
        self.thread.start()

    def end(self):
        """After the cut."""
        if self.thread:
            self.thread.join()
            self.thread = None

    def _set_heights(self, machine):
        try:
            for self.asked in HEIGHTS:
                machine.run(f"geofencectl vehicle set --height {self.asked / 1000}m")
                self.told = self.asked
                self.count += 1
        except (Silence, OSError):
            pass

    def problems(self, machine):
        """What was told is kept, unless what was asked afterwards is."""
        if self.asked is None:
            return []
        text = machine.run("geofencectl vehicle show --json")
        height = json.loads(text)["height_m"]
        kept = None if height is None else round(height * 1000)
        if kept not in (self.told, self.asked):
            return [f"the height is {kept} mm; {self.told} had been told, {self.asked} was asked"]
        self.told = self.asked = kept
        return []
