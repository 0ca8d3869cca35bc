"""What the Python of protobuf takes from ctypes, which the sandbox does not have: a number as C keeps it."""

import math
import struct


class c_float:  # noqa: N801 (its name in ctypes)
    """A number of 32 bits; what is too large for one is infinite."""

    def __init__(self, value=0.0):
        try:
            self.value = struct.unpack("f", struct.pack("f", value))[0]
        except OverflowError:
            self.value = math.copysign(math.inf, value)
