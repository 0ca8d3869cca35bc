# Sending too much: output, results, questions.

# case: printing without an end
# cpu: 300
# ends: timeout
# output: 70000
def attack(target):
    while True:
        print("x" * 1000)

# case: printing empty and tiny pieces
# repeats: printing without an end
# output: 70000
# steps: {"empty": "got None", "tiny": "got None", "closed": "got None"}
def attack(target):
    import posix, sys

    def repeat(data):
        for _ in range(50_000):
            posix.write(1, data)

    attempt("empty", lambda: repeat(b""))
    attempt("tiny", lambda: repeat(b"\n"))
    attempt("closed", lambda: [sys.stderr.write("\r") for _ in range(20_000)] and None)

# case: one line that never ends
# output: 70000
# steps: {"line": "got None", "bytes": "got .*"}
def attack(target):
    import posix, sys
    attempt("line", lambda: [sys.stdout.write("x" * 10_000) for _ in range(50)] and None)
    attempt("bytes", lambda: [posix.write(2, b"\xff\xfe" * 5_000) for _ in range(100)][0])

# case: logging without an end
# cpu: 300
# ends: timeout
# output: 70000
def attack(target):
    while True:
        logger.error("x" * 100)

# case: writing more at once than there is
# ends: violation
def attack(target):
    import posix
    posix.write(1, bytes(8 << 20))

# case: a result that is too large
# ends: raised
def attack(target):
    tried["large"] = "x" * (2 << 20)

# case: a result of many small values
# ends: raised|out-of-memory
def attack(target):
    tried["many"] = list(range(1_000_000))

# case: a result that grows while it is encoded
# ends: raised|out-of-memory
def attack(target):
    shared = ["x" * 100] * 100
    for _ in range(4):
        shared = [shared] * 20
    tried["shared"] = shared

# case: an exception that is too large
# ends: raised
def attack(target):
    raise ValueError("x" * (4 << 20))

# case: a type name that is too large
# ends: raised
def attack(target):
    raise type("E" * (3 << 20), (Exception,), {})("x")

# case: more calls of the host than a run may make
# functions: echo
# steps: {"served": "got 99", "refused": "HostRefusal"}
def attack(target):
    def served():
        done = 0
        try:
            while True:
                host.echo(n=done)
                done += 1
        except RuntimeError:
            return done

    attempt("served", served)
    attempt("refused", lambda: host.echo())

# case: asking in vain without an end
# wall: 2000
# ends: timeout
def attack(target):
    from sealed_guest.channel import ask
    while True:
        try:
            ask({"op": "nothing"})
        except RuntimeError:
            pass

# case: asking twice for the answer of one function
# functions: large
# steps: {"first": "got 4194304", "again": "HostRefusal", "other": "HostRefusal", "negative": "HostRefusal", "text": "HostRefusal"}
def attack(target):
    from sealed_guest.channel import ask
    handle = ask({"op": "start", "function": "large", "arguments": {}})["handle"]
    attempt("first", lambda: len(ask({"op": "wait", "handle": handle})["result"]))
    attempt("again", lambda: ask({"op": "wait", "handle": handle}))
    attempt("other", lambda: ask({"op": "wait", "handle": handle + 1}))
    attempt("negative", lambda: ask({"op": "wait", "handle": -1}))
    attempt("text", lambda: ask({"op": "wait", "handle": "constructor"}))

# case: huge arguments
# functions: echo
# steps: {"text": "HostRefusal", "many": "HostRefusal", "nested": "(RecursionError|ValueError)"}
def attack(target):
    attempt("text", lambda: host.echo(x="x" * (2 << 20)))
    attempt("many", lambda: host.echo(**{str(n): n for n in range(100_000)}))
    deep = {}
    for _ in range(10_000):
        deep = {"d": deep}
    attempt("nested", lambda: host.echo(d=deep))
