"""A disk with a volatile write cache, like real ones, served over NBD on a UNIX socket.

Data that the guest has written and not flushed (FLUSH, FUA) is only in memory. When the power is
cut, each block of it is left on the disk in any of the versions written since the last flush, or as
it was before, at random: writes are lost, and they are reordered. Flushed data always stays.

The protocol: https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md
"""

import os
import random
import socket
import struct
import threading

BLOCK = 4096
SECTOR = 512

NBD_MAGIC, OPTION_MAGIC, REPLY_MAGIC = 0x4E42444D41474943, 0x49484156454F5054, 0x3E889045565A9
OPT_EXPORT_NAME, OPT_ABORT, OPT_INFO, OPT_GO = 1, 2, 6, 7
REP_ACK, REP_INFO, REP_ERR_UNSUP = 1, 3, 0x80000001
INFO_EXPORT, INFO_BLOCK_SIZE = 0, 3
HAS_FLAGS, SEND_FLUSH, SEND_FUA = 1, 4, 8
READ, WRITE, DISCONNECT, FLUSH = 0, 1, 2, 3
FLAG_FUA = 1
EINVAL = 22


class PowerIsOff(Exception):
    pass


class VolatileDisk:
    """`path` is the durable part. `lies`: reports "flushed" and does nothing, as bad disks do."""

    def __init__(self, path, address, lies=False):
        self.size = os.path.getsize(path)
        self.file = os.open(path, os.O_RDWR)
        self.lies = lies
        self.cache = {}  # block number -> its versions since the last flush, oldest first
        self.lock = threading.Lock()
        self.is_off = False
        self.trigger = None  # (kind, count): cut at the count-th request of that kind from now
        self.on_trigger = None
        self.counts = {"write": 0, "flush": 0}
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(address)
        self.listener.listen(1)
        threading.Thread(target=self._serve, daemon=True).start()

    def arm(self, kind, count, then):
        """Cuts the power at the `count`-th "write" or "flush" from now, before it is done, or
        ("flushed") when one is done and not yet acknowledged; calls `then`."""
        with self.lock:
            self.trigger, self.on_trigger = [kind, count], then

    def cut(self, rng, kept):
        """Cuts the power. The part `kept` (0…1) of unflushed data is on the disk after it.
        Returns how many blocks were not flushed, and how many of them are lost at least in part."""
        with self.lock:
            self.is_off = True
            lost = 0
            for number in sorted(self.cache):
                versions = [self._durable(number)] + self.cache[number]
                last = len(versions) - 1
                chosen = last if rng.random() < kept else rng.randrange(last)
                block = versions[chosen]
                if rng.random() < 0.05:  # torn: each sector of its own mind
                    block = b"".join(
                        versions[rng.randrange(last + 1)][at:at + SECTOR]
                        for at in range(0, BLOCK, SECTOR))
                lost += block != versions[last]
                if block is not versions[0]:
                    os.pwrite(self.file, block, number * BLOCK)
            return len(self.cache), lost

    def close(self):
        self.is_off = True
        self.listener.close()
        os.close(self.file)

    # What the guest does

    def _durable(self, number):
        return os.pread(self.file, BLOCK, number * BLOCK).ljust(BLOCK, b"\0")

    def _current(self, number):
        versions = self.cache.get(number)
        return versions[-1] if versions else self._durable(number)

    def read(self, offset, length):
        first, last = offset // BLOCK, (offset + length - 1) // BLOCK
        if not any(number in self.cache for number in range(first, last + 1)):
            return os.pread(self.file, length, offset).ljust(length, b"\0")
        data = b"".join(self._current(number) for number in range(first, last + 1))
        return data[offset - first * BLOCK:][:length]

    def write(self, offset, data):
        at = 0
        while at < len(data):
            number, begin = divmod(offset + at, BLOCK)
            part = data[at:at + BLOCK - begin]
            at += len(part)
            if len(part) < BLOCK:
                old = self._current(number)
                part = old[:begin] + part + old[begin + len(part):]
            self.cache.setdefault(number, []).append(part)

    def flush(self, blocks=None):
        if self.lies:
            return
        for number in list(self.cache) if blocks is None else blocks:
            versions = self.cache.pop(number, None)
            if versions:
                os.pwrite(self.file, versions[-1], number * BLOCK)

    def _pulls(self, kind):
        """Whether this is the request at which the power is cut."""
        if kind in self.counts:
            self.counts[kind] += 1
        if self.is_off or self.trigger is None or self.trigger[0] != kind:
            return self.is_off
        self.trigger[1] -= 1
        if self.trigger[1] > 0:
            return False
        self.is_off, self.trigger = True, None
        threading.Thread(target=self.on_trigger, daemon=True).start()
        return True

    def _request(self, kind, flags, offset, length, payload):
        with self.lock:
            if self.is_off:
                raise PowerIsOff
            if kind == READ:
                return 0, self.read(offset, length)
            if kind == WRITE:
                if self._pulls("write"):
                    raise PowerIsOff
                self.write(offset, payload)
                if flags & FLAG_FUA:
                    first, last = offset // BLOCK, (offset + length - 1) // BLOCK
                    self.flush(range(first, last + 1))
                return 0, b""
            if kind == FLUSH:
                if self._pulls("flush"):
                    raise PowerIsOff
                self.flush()
                if self._pulls("flushed"):
                    raise PowerIsOff
                return 0, b""
            return EINVAL, b""

    # The protocol

    def _serve(self):
        connection = None
        try:
            while not self.is_off:
                connection, _ = self.listener.accept()
                try:
                    self._negotiate(connection)
                    self._transmit(connection)
                except (ConnectionError, EOFError):
                    pass
        except (PowerIsOff, OSError):
            # The connection stays open and silent, like a disk without power; the machine stops
            # too.
            self.mute = connection

    def _negotiate(self, peer):
        flags = HAS_FLAGS | SEND_FLUSH | SEND_FUA
        peer.sendall(struct.pack(">QQH", NBD_MAGIC, OPTION_MAGIC, 1 | 2))
        receive(peer, 4)
        while True:
            _, option, length = struct.unpack(">QII", receive(peer, 16))
            data = receive(peer, length)
            if option == OPT_EXPORT_NAME:
                peer.sendall(struct.pack(">QH", self.size, flags))
                return
            reply = lambda kind, body=b"": peer.sendall(
                struct.pack(">QIII", REPLY_MAGIC, option, kind, len(body)) + body)
            if option in (OPT_GO, OPT_INFO):
                reply(REP_INFO, struct.pack(">HQH", INFO_EXPORT, self.size, flags))
                reply(REP_INFO, struct.pack(">HIII", INFO_BLOCK_SIZE, SECTOR, BLOCK, 1 << 25))
                reply(REP_ACK)
                if option == OPT_GO:
                    return
            elif option == OPT_ABORT:
                reply(REP_ACK)
                raise EOFError
            else:
                reply(REP_ERR_UNSUP)

    def _transmit(self, peer):
        while True:
            _, flags, kind, handle, offset, length = struct.unpack(">IHHQQI", receive(peer, 28))
            if kind == DISCONNECT:
                raise EOFError
            payload = receive(peer, length) if kind == WRITE else b""
            error, data = self._request(kind, flags, offset, length, payload)
            peer.sendall(struct.pack(">IIQ", 0x67446698, error, handle) + data)


def receive(peer, count):
    parts = []
    while count:
        part = peer.recv(min(count, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
