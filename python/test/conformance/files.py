#: a scratch file is written and read | PY-40
def f():
    with open("/tmp/notes.txt", "w") as file:
        file.write("one\ntwo\n")
    with open("/tmp/notes.txt", "a") as file:
        print("three", file=file)
    with open("/tmp/notes.txt") as file:
        return file.read().splitlines()
#= ["one", "two", "three"]

#: files are gone after the call | PY-40
def f():
    import os
    return [os.listdir("/tmp"), os.path.exists("/tmp/notes.txt")]
#= [[], false]

#: pathlib | PY-40
def f():
    from pathlib import Path
    folder = Path("/tmp/a/b")
    folder.mkdir(parents=True)
    (folder / "x.json").write_text('{"n": 1}')
    (folder / "y.bin").write_bytes(b"\0\1")
    (folder / "y.bin").rename(folder / "z.bin")
    return [sorted(str(p) for p in Path("/tmp").rglob("*")), (folder / "x.json").stat().st_size, folder.is_dir(), (folder / "y.bin").exists(), str(Path("a").resolve())]
#= [["/tmp/a", "/tmp/a/b", "/tmp/a/b/x.json", "/tmp/a/b/z.bin"], 8, true, false, "/tmp/a"]

#: tempfile | PY-40
def f():
    import os, tempfile
    with tempfile.NamedTemporaryFile("w+", suffix=".csv") as file:
        file.write("a,b")
        file.seek(0)
        inside = [file.read(), file.name.startswith("/tmp/"), os.path.exists(file.name)]
    with tempfile.TemporaryDirectory() as folder:
        open(os.path.join(folder, "x"), "w").close()
        listed = os.listdir(folder)
    return [inside, os.path.exists(file.name), listed, os.path.exists(folder), os.listdir("/tmp")]
#= [["a,b", true, true], false, ["x"], false, []]

#: csv, json, zip and gzip files | PY-40
def f():
    import csv, gzip, json, zipfile
    with open("rows.csv", "w", newline="") as file:
        csv.writer(file).writerows([["a", "b"], [1, "x,y"]])
    with zipfile.ZipFile("/tmp/all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write("/tmp/rows.csv", "rows.csv")
        archive.writestr("n.json", json.dumps({"n": 1}))
    with gzip.open("/tmp/g.gz", "wt") as file:
        file.write("packed")
    with zipfile.ZipFile("/tmp/all.zip") as archive, gzip.open("/tmp/g.gz", "rt") as packed:
        return [list(csv.reader(archive.read("rows.csv").decode().splitlines())), json.loads(archive.read("n.json")), packed.read()]
#= [[["a", "b"], ["1", "x,y"]], {"n": 1}, "packed"]

#: reading and writing at a place | PY-40
def f():
    with open("/tmp/x", "w+b") as file:
        file.write(b"0123456789")
        file.seek(3)
        file.write(b"AB")
        file.seek(-2, 2)
        end = file.read()
        file.truncate(6)
        file.seek(0)
        return [end.decode(), file.read().decode(), file.tell()]
#= ["89", "012AB5", 6]

#: copying, moving, removing | PY-40
def f():
    import os, shutil
    os.makedirs("/tmp/from/in")
    open("/tmp/from/in/x", "w").write("x")
    shutil.copytree("/tmp/from", "/tmp/to")
    shutil.move("/tmp/to/in/x", "/tmp/y")
    shutil.rmtree("/tmp/from")
    os.remove("/tmp/y")
    return [[folder, sorted(folders), files] for folder, folders, files in os.walk("/tmp")]
#= [["/tmp", ["to"], []], ["/tmp/to", ["in"], []], ["/tmp/to/in", [], []]]

#: nothing else can be read | PY-40
def f():
    open("/etc/passwd")
#! FileNotFoundError: [Errno 44] the sandbox has private scratch files under /tmp and no others: '/etc/passwd'

#: nothing else can be written | PY-40
def f():
    open("/tmp/../etc/passwd", "w")
#! PermissionError: [Errno 2] the sandbox has private scratch files under /tmp and no others: '/tmp/../etc/passwd'

#: missing and existing files are the usual errors | PY-40
def f():
    import io, os
    open("/tmp/there", "w").close()
    caught = []
    for act in (lambda: open("/tmp/nope"), lambda: open("/tmp/there", "x"), lambda: os.mkdir("/tmp/there"), lambda: os.rmdir("/tmp/there"), lambda: open("/tmp", "w"), lambda: open("/tmp/no/x", "w"), lambda: open("/tmp/there").write("x")):
        try:
            act()
        except (OSError, ValueError) as error:
            caught.append(type(error).__name__)
    return caught
#= ["FileNotFoundError", "FileExistsError", "FileExistsError", "NotADirectoryError", "IsADirectoryError", "FileNotFoundError", "UnsupportedOperation"]

#: the working directory can be another | PY-40
def f():
    import contextlib, os
    os.mkdir("inner")
    with contextlib.chdir("inner"):
        open("x", "w").close()
        inside = [os.getcwd(), os.listdir(), os.path.abspath("x")]
    return [inside, os.getcwd(), os.listdir("inner")]
#= [["/tmp/inner", ["x"], "/tmp/inner/x"], "/tmp", ["x"]]

#: the working directory is /tmp again in the next call | PY-40
def f():
    import os
    return os.getcwd()
#= "/tmp"

#: names are bytes where the path is | PY-40
def f():
    import glob, os
    open("a.txt", "w").close()
    with os.scandir(b".") as entries:
        scanned = [entry.path.decode() for entry in entries]
    return [[name.decode() for name in os.listdir(b"/tmp")], scanned, [name.decode() for name in glob.glob(b"*.txt")]]
#= [["a.txt"], ["./a.txt"], ["a.txt"]]

#: functions of files are no methods of a class that keeps them | PY-40
def f():
    import os
    class Store:
        open, exists, remove = open, os.path.exists, os.remove
        def save(self, name):
            with self.open(name, "w") as file:
                return file.write("kept")
        def drop(self, name):
            self.remove(name)
    store = Store()
    import inspect, pickle
    same = [pickle.loads(pickle.dumps(each)) is each for each in (open, os.listdir)]
    return [store.save("x"), os.path.exists("x"), store.drop("x"), os.path.exists("x"), same, list(inspect.signature(open).parameters)[:2]]
#= [4, true, null, false, [true, true], ["file", "mode"]]

#: the layers of a file say what they are | PY-40
def f():
    import io
    with open("x", "w") as file:
        layers = [file.mode, file.encoding, file.buffer.mode, file.buffer.raw.mode, isinstance(file.buffer.raw, io.FileIO)]
    with io.FileIO("x", "a+") as raw:
        raw.write(memoryview(b"abc"))
        raw.seek(0)
        layers += [raw.mode, raw.readall().decode()]
    try:
        raw.read(1)
    except ValueError as error:
        return layers + [str(error)]
#= ["w", "UTF-8", "wb", "wb", true, "ab+", "abc", "I/O operation on closed file."]

#: locks of files succeed at once | PY-45
import fcntl
def f():
    with open("/tmp/locked", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        file.write("x")
        fcntl.lockf(file, fcntl.LOCK_UN)
    return fcntl.flock.__name__
#= "flock"
