"""The words of which a limber recording is made (docs/formats.md), one after the other."""
import struct


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise ValueError("the recording ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def one(self, code):
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]

    def text(self):
        return self.take(self.one("Q")).decode()
