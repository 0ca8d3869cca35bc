# What a run wrote is put back by a record of its writes. Here the interpreter's own memory is written raw, in ways that such
# a record could miss, and the run ends well, so that nothing but the record tells what to put back.

# with: forge
# case: leaving words in memory that nothing uses
# steps: {"stash": "got .*"}
def attack(target):
    memory = whole_memory()

    def stash():
        room = bytearray(1 << 20)  # given back before the run ends, so that nothing uses what is written there
        left = 0
        for address in range(word(memory, id(room) + 20), word(memory, id(room) + 20) + len(room) - 64, 4096 - 7):
            memory[address : address + 16] = b"LEFT-BY-" + b"RAWWRITE"
            left += 1
        return left

    attempt("stash", stash)

# with: forge
# case: looking for what was left there
# steps: {"found": "got 0", "behind": "got 0"}
def attack(target):
    memory = whole_memory()
    attempt("found", lambda: count(memory, b"LEFT-BY-", b"RAWWRITE"))
    kept = bytearray(2 << 20)
    attempt("behind", lambda: memory[14 << 20 : id(kept)].count(bytes([76, 69, 70, 84, 45, 66, 89, 45, 82, 65, 87])))

# with: forge
# case: writing the first bytes of the memory, which no object has
# steps: {"first": "got True", "border": "got True"}
def attack(target):
    memory = whole_memory()
    attempt("first", lambda: memory.__setitem__(slice(0, 64), b"L" * 64) or memory[5] == memory[63] == 76)
    attempt("border", lambda: memory.__setitem__(slice(4090, 4100), bytes(memory[4090:4100])) or len(memory[4090:4100]) == 10)

# with: forge
# case: numbers that every program shares
# steps: {"number": "got [0-9]+", "text": "got .*"}
def attack(target):
    memory = whole_memory()

    def number():
        at = id(250) + 12
        kept = memory[at]
        memory[at] = 7
        value = int("250")
        memory[at] = kept ^ 1
        return value

    attempt("number", number)
    attempt("text", lambda: memory.__setitem__(id("marker") + 16, memory[id("marker") + 16]) or "same")

# with: forge
# case: words that straddle the borders of blocks
# steps: {"straddle": "got .*"}
def attack(target):
    import struct
    memory = whole_memory()
    kept = bytearray(256 << 10)

    def straddle():
        start = word(memory, id(kept) + 20) >> 12 << 12
        kinds = ("<H", "<I", "<Q", "<d")
        for number, format in enumerate(kinds * 8, 2):
            for before in range(1, struct.calcsize(format)):
                struct.pack_into(format, memory, start + 4096 * number - before, 1)
        return len(kinds)

    attempt("straddle", straddle)

# with: forge
# case: the stack of the interpreter, far below where it is
# steps: {"stack": "got True"}
def attack(target):
    memory = whole_memory()

    def stack():
        left = 0
        for address in range(5 << 20, 9 << 20, 65_536):
            if not any(memory[address : address + 64]):
                memory[address : address + 8] = b"LEFT-BY-"
                memory[address + 8 : address + 16] = b"RAWWRITE"
                left += 1
        return left > 10

    attempt("stack", stack)

# with: forge
# case: looking for what was left in the stack
# steps: {"found": "got 0"}
def attack(target):
    memory = whole_memory()
    attempt("found", lambda: count(memory, b"LEFT-BY-", b"RAWWRITE"))
