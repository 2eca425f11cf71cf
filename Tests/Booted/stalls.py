"""What a machine makes every program wait for, whoever it is: its processors and its disk."""

import os
import threading
import time

PAUSE = 0.02
# What is shorter is no stall.
LEAST = 0.05


class Stalls:
    """While it is entered, a byte is made durable on the disk of a directory every 20 ms, and the times are
    noted at which this took long, or began late."""

    def __init__(self, directory):
        self.path = directory / f"stalls-{os.getpid()}"
        self.found = []
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()
        self.path.unlink()

    def watch(self):
        with open(self.path, "wb", buffering=0) as file:
            due = time.time()
            while not self.is_over.wait(PAUSE):
                os.pwrite(file.fileno(), b"x", 0)
                os.fsync(file.fileno())
                now = time.time()
                if now - due - PAUSE > LEAST:
                    self.found.append((due + PAUSE, now))
                due = now

    def within(self, begin, end):
        """How much of that time was one, s; of both Unix times."""
        return sum(max(0, min(end, last) - max(begin, first)) for first, last in self.found)
