"""Reads a limber recording, format 1, from the words of docs/formats.md alone: numpy arrays, no limber code."""
import struct

import numpy as np

CORNERS = {0: 3, 1: 4, 2: 4, 3: 10, 4: 8}


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise ValueError("the recording ends too early")
        self.at += count
        return self.data[self.at - count:self.at]

    def one(self, code):
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]

    def text(self):
        return self.take(self.one("Q")).decode()

    def array(self, kind):
        count = self.one("Q")
        return np.frombuffer(self.take(count * (8 if kind == "<f8" else 4)), kind)


def checksum(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001b3) & 0xffffffffffffffff
    return value


def frame(data):
    """(time, displacement, velocity, reactions): the last with a row of force and torque per anchor, then handle."""
    time = data.one("d")
    u, v = data.array("<f8").reshape(-1, 3), data.array("<f8").reshape(-1, 3)
    data.take(16)
    reactions = np.frombuffer(data.take(48 * data.one("Q")), "<f8").reshape(-1, 6)
    return time, u, v, reactions


def read(path):
    """{"scene", "provenance", "step", "times", "u", "v", "reactions"}; u and v are [frame, vertex, axis]."""
    whole = Bytes(open(path, "rb").read())
    if whole.take(16) != b"limber recording" or whole.one("I") != 1:
        raise ValueError("not a limber recording of format 1")
    length = whole.one("Q")
    head = Bytes(whole.take(length))
    if whole.one("Q") != checksum(whole.data[16:28 + length]):
        raise ValueError("the header's checksum is wrong")
    out = {"scene": head.text(), "scene_hash": head.one("Q"), "method": head.text(), "provenance": head.text(), "step": head.one("d")}
    frames, ended = [], False
    while whole.at < len(whole.data):
        kind, length = whole.one("I"), whole.one("Q")
        record = Bytes(whole.take(length))
        whole.take(8)
        ended = ended or kind == 2
        if kind == 1:
            frames.append(frame(record))
    if not ended:
        raise ValueError("the recording has no end record")
    for name, column in zip(("times", "u", "v", "reactions"), zip(*frames)):
        out[name] = np.array(column)
    return out
