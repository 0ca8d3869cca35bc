# Reading and changing files of the host. `target.file` holds a secret; `target.shared` is another one, in the host's /tmp.

# case: reading a file by every function that opens one
# steps: {"open": "OSError", "io.open": "OSError", "FileIO": "OSError", "open_code": "OSError", "os.open": "OSError", "pathlib": "OSError", "codecs": "OSError", "linecache": "got ''", "tokenize": "OSError", "shutil": "OSError", "exec": "OSError"}
def attack(target):
    import _io, codecs, io, linecache, os, pathlib, shutil, tokenize
    file = target["file"]
    attempt("open", lambda: open(file).read())
    attempt("io.open", lambda: io.open(file, "rb").read())
    attempt("FileIO", lambda: _io.FileIO(file).readall())
    attempt("open_code", lambda: io.open_code(file).read())
    attempt("os.open", lambda: os.read(os.open(file, os.O_RDONLY), 100))
    attempt("pathlib", lambda: pathlib.Path(file).read_text())
    attempt("codecs", lambda: codecs.open(file).read())
    attempt("linecache", lambda: linecache.getline(file, 1))
    attempt("tokenize", lambda: tokenize.open(file).read())
    attempt("shutil", lambda: shutil.copy(file, "/tmp/copy"))
    attempt("exec", lambda: exec(open(file).read()))

# case: reading a file of the host's own /tmp
# steps: {"shared": "OSError", "listed": "got (\\[\\]|True)", "temporary": "OSError"}
def attack(target):
    import os, pathlib
    attempt("shared", lambda: open(target["shared"]).read())
    attempt("listed", lambda: os.path.basename(target["shared"]) not in os.listdir("/tmp"))
    attempt("temporary", lambda: pathlib.Path("/tmp", "..", target["file"]).read_text())

# case: reading what the kernel tells about processes
# steps: {"/proc/self/environ": "OSError", "/proc/self/maps": "OSError", "/proc/1/cmdline": "OSError", "/proc/self/fd/0": "OSError", "/dev/mem": "OSError", "/dev/stdin": "OSError", "/etc/passwd": "OSError"}
def attack(target):
    for file in ("/proc/self/environ", "/proc/self/maps", "/proc/1/cmdline", "/proc/self/fd/0", "/dev/mem", "/dev/stdin", "/etc/passwd"):
        attempt(file, lambda: open(file, "rb").read())

# case: listing directories
# steps: {"listdir": "OSError", "scandir": "OSError", "iterdir": "OSError", "glob": "got \\[\\]", "walk": "got \\[\\]", "exists": "got False", "stat": "OSError", "readlink": "OSError", "statvfs": "OSError"}
def attack(target):
    import glob, os, pathlib
    folder = os.path.dirname(target["file"])
    attempt("listdir", lambda: os.listdir(folder))
    attempt("scandir", lambda: list(os.scandir(folder)))
    attempt("iterdir", lambda: list(pathlib.Path(folder).iterdir()))
    attempt("glob", lambda: glob.glob(folder + "/*"))
    attempt("walk", lambda: list(os.walk(folder)))
    attempt("exists", lambda: os.path.exists(target["file"]))
    attempt("stat", lambda: os.stat(target["file"]))
    attempt("readlink", lambda: os.readlink("/proc/self/exe"))
    attempt("statvfs", lambda: os.statvfs("/"))

# case: changing files
# steps: {"write": "OSError", "append": "OSError", "mkdir": "OSError", "unlink": "OSError", "rename": "OSError", "symlink": "OSError", "link": "(OSError|NotImplementedError|AttributeError)", "chmod": "OSError", "truncate": "OSError", "rmtree": "OSError", "utime": "OSError"}
def attack(target):
    import os, pathlib, shutil
    file = target["file"]
    attempt("write", lambda: open(file, "w").write("changed"))
    attempt("append", lambda: open(file, "ab").write(b"changed"))
    attempt("mkdir", lambda: os.mkdir(file + ".d"))
    attempt("unlink", lambda: os.unlink(file))
    attempt("rename", lambda: os.rename(file, file + ".moved"))
    attempt("symlink", lambda: os.symlink(file, file + ".link"))
    attempt("link", lambda: os.link(file, file + ".link"))
    attempt("chmod", lambda: os.chmod(file, 0o777))
    attempt("truncate", lambda: os.truncate(file, 0))
    attempt("rmtree", lambda: shutil.rmtree(os.path.dirname(file)))
    attempt("utime", lambda: os.utime(file))

# case: using descriptors that were never opened
# steps: {"read": "got (\\[\\]|\\[3, 5\\])", "write": "got \\[\\]", "seek": "got \\[\\]", "dup": "got \\[\\]", "stat": "got \\[\\]", "path": "OSError"}
def attack(target):
    import os

    def usable(use, numbers=range(64)):
        found = []
        for number in numbers:
            try:
                use(number)
                found.append(number)
            except OSError:
                pass
        return found

    attempt("read", lambda: usable(lambda n: os.read(n, 100)))
    attempt("write", lambda: usable(lambda n: os.write(n, b"xx"), [0, 3, *range(6, 64)]))
    attempt("seek", lambda: usable(lambda n: os.lseek(n, 0, 0)))
    attempt("dup", lambda: usable(lambda n: os.dup(n)))
    attempt("stat", lambda: usable(lambda n: os.fstat(n)))
    attempt("path", lambda: open("/dev/fd/0").read())

# case: asking for resources that do not exist
# steps: {"up": "got None", "absolute": "got None", "secret": "got None", "nul": "got None", "prototype": "got None", "many": "got 1000"}
def attack(target):
    from sealed_guest import resources
    attempt("up", lambda: resources.read("../../../../etc/passwd"))
    attempt("absolute", lambda: resources.read("zone /etc/passwd"))
    attempt("secret", lambda: resources.read(target["file"]))
    attempt("nul", lambda: resources.read("zone Europe/Berlin\0"))
    attempt("prototype", lambda: resources.read("__proto__"))
    attempt("many", lambda: len([resources.read(f"zone {n}") for n in range(1000)]))
