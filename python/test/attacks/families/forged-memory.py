# Breaking the interpreter's own memory safety with forged bytecode. Possible by nature: CPython trusts its bytecode. It must
# yield nothing but the memory of this run, and end with it.

# with: forge
# case: reading the whole memory
# steps: {"memory": "got True", "own": "got True", "other": "got 0", "host": "got 0"}
def attack(target):
    memory = whole_memory()
    half = target["marker"][:8].encode(), target["marker"][8:].encode()
    attempt("memory", lambda: len(memory) > 1 << 30)
    attempt("own", lambda: count(memory, *half) > 0)
    attempt("other", lambda: count(memory, b"OTHER-TEN", b"ANT-NEEDLE"))
    attempt("host", lambda: count(memory, b"FRONTDESK_ATTACK", b"_SECRET"))

# with: forge
# case: reading behind the end of the memory
# ends: crashed|out-of-memory
def attack(target):
    memory = whole_memory()
    print(memory[(1 << 31) - 100])

# with: forge
# case: overwriting the memory from its beginning
# ends: crashed|raised|violation|timeout|out-of-memory
def attack(target):
    memory = whole_memory()
    for address in range(1024, 20 << 20, 4):
        memory[address] = 0xFF

# with: forge
# case: calling every function of the table through a forged method
# ends: violation|crashed|timeout
def attack(target):
    memory = whole_memory()
    function = id(__import__("posix").getpid)
    definition = word(memory, function + 8)
    for index in range(2000, 6000):
        for offset, byte in enumerate(index.to_bytes(4, "little")):
            memory[definition + 4 + offset] = byte
        try:
            __import__("posix").getpid()
        except BaseException:
            pass

# with: forge
# case: turning an object into one of another type
# cpu: 400
# ends: crashed|raised|violation|timeout|returned
def attack(target):
    memory = whole_memory()
    victim = [1, 2, 3]
    for offset, byte in enumerate(id(dict).to_bytes(4, "little")):
        memory[id(victim) + 4 + offset] = byte
    victim["x"] = 1
    repr(victim)

# case: running random bytecode
# ends: crashed|raised|violation|timeout|returned|out-of-memory
def attack(target):
    import random, types
    for seed in range(3000):
        random.seed(seed)
        body = bytes(random.randrange(256) for _ in range(40))
        code = (lambda: 0).__code__.replace(co_code=body, co_stacksize=100, co_nlocals=0)
        try:
            types.FunctionType(code, {})()
        except BaseException:
            pass

# case: loading forged marshalled data
# steps: {"loads": "got .*"}
def attack(target):
    import marshal, random
    seen = set()

    def loads():
        good = marshal.dumps([1, "a", {"b": (1.5, None)}, b"c"] * 3)
        for seed in range(1000):
            random.seed(seed)
            data = bytearray(good)
            data[random.randrange(len(data))] = random.randrange(256)
            try:
                marshal.loads(bytes(data))
            except Exception as error:
                seen.add(type(error).__name__)
        return sorted(seen)

    attempt("loads", loads)
