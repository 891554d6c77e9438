"""Reads a limber recording, format 1, from the words of docs/formats.md alone: numpy arrays, no limber code."""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from recording_bytes import Bytes

CORNERS = {0: 3, 1: 4, 2: 4, 3: 10, 4: 8}


class Arrays(Bytes):
    def array(self, kind):
        count = self.one("Q")
        return np.frombuffer(self.take(count * (8 if kind == "<f8" else 4)), kind)


def checksum(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
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
    whole = Arrays(open(path, "rb").read())
    if whole.take(16) != b"limber recording" or whole.one("I") != 1:
        raise ValueError("not a limber recording of format 1")
    length = whole.one("Q")
    head = Arrays(whole.take(length))
    if whole.one("Q") != checksum(whole.data[16 : 28 + length]):
        raise ValueError("the header's checksum is wrong")
    out = {
        "scene": head.text(),
        "scene_hash": head.one("Q"),
        "method": head.text(),
        "provenance": head.text(),
        "step": head.one("d"),
    }
    frames, ended = [], False
    while whole.at < len(whole.data):
        kind, length = whole.one("I"), whole.one("Q")
        record = Arrays(whole.take(length))
        whole.take(8)
        ended = ended or kind == 2
        if kind == 1:
            frames.append(frame(record))
    if not ended:
        raise ValueError("the recording has no end record")
    for name, column in zip(("times", "u", "v", "reactions"), zip(*frames)):
        out[name] = np.array(column)
    return out
