# Gives a run its whole linear memory as one bytearray: forged bytecode loads a constant from behind the constants, where a
# pointer to a forged bytearray object lies. The layouts are those of CPython 3.12 on 32 bits.

import struct
import types

_kept = []
_USED = 20 << 20  # bytes that the memory has at least


def word(memory, address):
    return int.from_bytes(memory[address : address + 4], "little")


def count(memory, begin, end):
    """How often `begin` followed by `end` lies in memory; in two parts, so that the question itself is not found."""
    found, position = 0, memory.find(begin, 1024, _USED)
    while position >= 0:
        after = position + len(begin)
        found += memory[after : after + len(end)] == end
        position = memory.find(begin, after, _USED)
    return found


def whole_memory():
    def load(index):
        body = bytes([151, 0])  # RESUME
        for shift in (24, 16, 8):
            body += bytes([144, index >> shift & 255])  # EXTENDED_ARG
        body += bytes([100, index & 255, 83, 0])  # LOAD_CONST, RETURN_VALUE
        code = (lambda: 0).__code__.replace(co_code=body, co_consts=constants)
        return types.FunctionType(code, {})()

    constants = (None,)
    start = 16  # of the characters in a bytes object: count, type, size, hash
    forged = struct.pack("<IIiiIIi", 1 << 29, id(bytearray), (1 << 31) - 64, (1 << 31) - 64, 0, 0, 0)
    body = bytes(bytearray(forged))
    pointer = struct.pack("<I", id(body) + start)
    _kept.extend((constants, body, pointer))
    index = (id(pointer) + start - (id(constants) + 12)) // 4 % (1 << 30)
    return load(index)


