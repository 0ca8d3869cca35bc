# Learning what the server was started with. FRONTDESK_ATTACK_SECRET is in the environment of the server.

# case: reading the environment
# steps: {"environ": "got (environ\\(\\{.*\\}\\)|\\{.*\\})", "getenv": "got None", "posix": "got \\{\\}", "putenv": "(got None|OSError)", "expandvars": "got '\\$FRONTDESK_ATTACK_SECRET'", "home": "(got '.*'|RuntimeError|OSError)"}
def attack(target):
    import os, posix
    attempt("environ", lambda: os.environ)
    attempt("getenv", lambda: os.getenv("FRONTDESK_ATTACK_SECRET"))
    attempt("posix", lambda: {k: v for k, v in posix.environ.items() if b"SECRET" in k})
    attempt("putenv", lambda: os.putenv("FRONTDESK_ATTACK_SECRET", "changed"))
    attempt("expandvars", lambda: os.path.expandvars("$FRONTDESK_ATTACK_SECRET"))
    attempt("home", lambda: os.path.expanduser("~"))

# case: asking who and where the server is
# steps: {"argv": "got \\[.*\\]", "executable": "got .*", "pid": "got 42", "parent": "got 1", "user": "(OSError|got 0)", "uname": "got 'emscripten'", "node": "got 'emscripten'", "cwd": "(OSError|got '/.*')", "cpus": "got .*", "zone": "got 0", "hostname": "ModuleNotFoundError"}
def attack(target):
    import os, platform, sys, time
    attempt("argv", lambda: sys.argv)
    attempt("executable", lambda: sys.executable)
    attempt("pid", os.getpid)
    attempt("parent", os.getppid)
    attempt("user", os.getuid)
    attempt("uname", lambda: os.uname().nodename)
    attempt("node", platform.node)
    attempt("cwd", os.getcwd)
    attempt("cpus", os.cpu_count)
    attempt("zone", lambda: time.timezone)
    attempt("hostname", lambda: __import__("socket").gethostname())
