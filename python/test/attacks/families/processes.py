# Starting, signalling or becoming a process of the host.

# case: running a command
# steps: {"system": "(OSError|got -1|got 32512)", "popen": "(OSError|ModuleNotFoundError|NotImplementedError)", "subprocess": "ModuleNotFoundError", "commands": "ModuleNotFoundError", "asyncio": "(AttributeError|NotImplementedError|ModuleNotFoundError)", "webbrowser": "ModuleNotFoundError"}
def attack(target):
    import asyncio, os
    attempt("system", lambda: os.system("touch " + target["file"] + ".run"))
    attempt("popen", lambda: os.popen("id").read())
    attempt("subprocess", lambda: __import__("subprocess").run(["id"]))
    attempt("commands", lambda: __import__("pty").spawn("sh"))
    attempt("asyncio", lambda: asyncio.run(asyncio.create_subprocess_shell("id")))
    attempt("webbrowser", lambda: __import__("webbrowser").open("http://127.0.0.1"))

# case: replacing or splitting the process
# steps: {"execv": "(OSError|AttributeError)", "execve": "(OSError|AttributeError)", "fork": "(OSError|AttributeError)", "vfork": "AttributeError", "forkpty": "(OSError|AttributeError)", "spawn": "(OSError|AttributeError)", "posix_spawn": "(OSError|AttributeError)", "multiprocessing": "ModuleNotFoundError", "interpreters": "(ModuleNotFoundError|ImportError)"}
def attack(target):
    import os, posix
    attempt("execv", lambda: os.execv("/bin/sh", ["sh", "-c", "id"]))
    attempt("execve", lambda: posix.execve("/bin/sh", ["sh"], {}))
    attempt("fork", lambda: os.fork())
    attempt("vfork", lambda: os.vfork())
    attempt("forkpty", lambda: os.forkpty())
    attempt("spawn", lambda: os.spawnv(os.P_WAIT, "/bin/sh", ["sh", "-c", "id"]))
    attempt("posix_spawn", lambda: posix.posix_spawn("/bin/sh", ["sh"], {}))
    attempt("multiprocessing", lambda: __import__("multiprocessing").Process(target=print).start())
    attempt("interpreters", lambda: __import__("_xxsubinterpreters").create())

# case: a fork bomb
# steps: {"bomb": "got 0"}
def attack(target):
    import os

    def bomb():
        born = 0
        for _ in range(10_000):
            try:
                os.fork()
                born += 1
            except (OSError, AttributeError):
                pass
        return born

    attempt("bomb", bomb)

# case: signals to others
# steps: {"kill": "(OSError|AttributeError|got None)", "parent": "(OSError|AttributeError|got None)", "killpg": "(OSError|AttributeError|got None)", "alarm": "(OSError|AttributeError|got .*)", "timer": "(OSError|AttributeError|got .*|.*Error)", "ptrace": "(OSError|AttributeError|ModuleNotFoundError)"}
def attack(target):
    import os, signal
    attempt("kill", lambda: os.kill(1, 9))
    attempt("parent", lambda: os.kill(os.getppid(), signal.SIGUSR1))
    attempt("killpg", lambda: os.killpg(0, 9))
    attempt("alarm", lambda: signal.alarm(1))
    attempt("timer", lambda: signal.setitimer(signal.ITIMER_REAL, 0.01))
    attempt("ptrace", lambda: __import__("ctypes").CDLL(None).ptrace(0, 0, 0, 0))

# case: threads
# steps: {"thread": "RuntimeError", "low": "RuntimeError", "pool": "(RuntimeError|got \\['1'\\])", "timer": "RuntimeError", "executor": "(NotImplementedError|RuntimeError|got None)"}
def attack(target):
    import _thread, asyncio, threading
    attempt("thread", lambda: threading.Thread(target=print).start())
    attempt("low", lambda: _thread.start_new_thread(print, ()))
    attempt("pool", lambda: list(__import__("concurrent.futures").futures.ThreadPoolExecutor().map(str, [1])))
    attempt("timer", lambda: threading.Timer(0, print).start())

    async def executor():
        return await asyncio.to_thread(print)

    attempt("executor", lambda: asyncio.run(executor()))
