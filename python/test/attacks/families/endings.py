# Ending the interpreter, the process or the server.

# case: exit codes
# steps: {"exit": "SystemExit", "quit": "(SystemExit|NameError)", "raise": "SystemExit", "text": "SystemExit"}
def attack(target):
    import sys
    attempt("exit", lambda: sys.exit(0))
    attempt("quit", lambda: quit(1))

    def leave(code):
        raise SystemExit(code)

    attempt("raise", lambda: leave(137))
    attempt("text", lambda: leave("forged"))

# case: SystemExit that leaves the code
# ends: raised
def attack(target):
    raise SystemExit(0)

# case: leaving without cleaning up
# ends: crashed
def attack(target):
    import os
    os._exit(0)

# case: abort
# ends: crashed
def attack(target):
    import os
    os.abort()

# case: exceptions that are no errors
# ends: raised
def attack(target):
    raise KeyboardInterrupt

# case: a generator's end that leaves the code
# ends: raised
def attack(target):
    raise GeneratorExit

# case: an exception without a class to tell
# ends: raised
def attack(target):
    class Odd(Exception):
        __name__ = property(lambda self: 1 / 0)
        __traceback__ = None

        def __str__(self):
            return 7

        def __repr__(self):
            raise SystemExit

    raise Odd

# case: an exception group of itself
# ends: raised
def attack(target):
    error = ValueError("x")
    error.__cause__ = error
    error.__context__ = error
    raise ExceptionGroup("g", [error] * 1000)

# case: memory that only claims to be used up
# ends: out-of-memory
def attack(target):
    raise MemoryError("forged")

# case: a signal to oneself
# ends: crashed|raised|violation|returned
def attack(target):
    import signal
    for number in (signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT):
        attempt(str(number), lambda: signal.raise_signal(number))

# case: a failed assertion of the interpreter
# ends: crashed|raised|violation|returned
def attack(target):
    import gc, sys
    sys.setrecursionlimit(5000)
    sys.stdout = sys.stderr = sys.__stdout__ = None
    sys.excepthook = sys.unraisablehook = None
    gc.collect()
    del sys.modules["builtins"]
    sys.modules["sys"] = None
    sys.modules["sealed_guest"] = None

# case: a stack that is used up while an exception is told
# ends: raised|crashed
def attack(target):
    class Deep(Exception):
        def __str__(self):
            return str(self)
    raise Deep
