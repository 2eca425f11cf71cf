"""The disk itself: flushed data stays, other data may be lost, and reads see the latest."""

import os
import random
import tempfile
import unittest

from disk import BLOCK, FLAG_FUA, FLUSH, READ, SECTOR, WRITE, PowerIsOff, VolatileDisk

OLD, NEW, NEWER = (bytes([fill]) * BLOCK for fill in b"onx")


class DiskTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.directory.name, "disk.img")
        with open(self.path, "wb") as file:
            file.write(OLD * 64)
        self.disk = VolatileDisk(self.path, os.path.join(self.directory.name, "socket"))

    def tearDown(self):
        self.disk.close()
        self.directory.cleanup()

    def write(self, block, data, flags=0):
        self.disk._request(WRITE, flags, block * BLOCK, len(data), data)

    def durable(self, block):
        with open(self.path, "rb") as file:
            file.seek(block * BLOCK)
            return file.read(BLOCK)

    def test_reads_see_what_was_written_last(self):
        self.write(3, NEW)
        self.disk._request(WRITE, 0, 3 * BLOCK + SECTOR, SECTOR, NEWER[:SECTOR])
        _, data = self.disk._request(READ, 0, 2 * BLOCK, 3 * BLOCK, b"")
        self.assertEqual(data, OLD + NEW[:SECTOR] + NEWER[:SECTOR] + NEW[2 * SECTOR:] + OLD)

    def test_what_was_flushed_survives_and_nothing_else_must(self):
        for block in range(20):
            self.write(block, NEW)
        self.disk._request(FLUSH, 0, 0, 0, b"")
        for block in range(10, 30):
            self.write(block, NEWER)
        self.write(40, NEW)
        self.write(40, NEWER, FLAG_FUA)
        unflushed, lost = self.disk.cut(random.Random(1), kept=0.0)
        self.assertEqual(unflushed, 20)
        self.assertEqual([self.durable(block) for block in range(10)], [NEW] * 10)
        self.assertEqual(self.durable(40), NEWER)
        for block, before in [(at, NEW) for at in range(10, 20)] + [
                (at, OLD) for at in range(20, 30)]:
            data = self.durable(block)
            for at in range(0, BLOCK, SECTOR):
                self.assertIn(data[at:at + SECTOR], (before[:SECTOR], NEWER[:SECTOR]))
        self.assertGreater(lost, 15)

    def test_a_cut_before_a_flush_comes_before_it(self):
        self.write(1, NEW)
        self.disk.arm("flush", 1, lambda: None)
        with self.assertRaises(PowerIsOff):
            self.disk._request(FLUSH, 0, 0, 0, b"")
        with self.assertRaises(PowerIsOff):
            self.write(2, NEW)
        self.disk.cut(random.Random(2), kept=0.0)
        self.assertNotEqual(self.durable(1), NEW)


if __name__ == "__main__":
    unittest.main()
