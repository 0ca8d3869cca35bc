"""Dispatch by `globals()`, probing by `hasattr`, descriptors, metaclasses, context managers, odd scopes."""

import contextlib
import enum
import inspect
import textwrap
from collections import ChainMap, Counter, defaultdict, deque
from string import Template


class Access(enum.Flag):
    NONE = 0
    READ = enum.auto()
    WRITE = enum.auto()
    ALL = READ | WRITE


class Trimmed:
    def __set_name__(self, owner, name):
        self.slot = f"_{name}"

    def __get__(self, instance, owner=None):
        return self if instance is None else getattr(instance, self.slot, "")

    def __set__(self, instance, value):
        setattr(instance, self.slot, " ".join(value.split()).title())


class Registered(type):
    kinds = {}

    def __new__(mcs, name, bases, body, *, access=Access.READ, **options):
        cls = super().__new__(mcs, name, bases, body, **options)
        cls.access = access
        mcs.kinds[name.lower()] = cls
        return cls


class Guest(metaclass=Registered):
    name = Trimmed()

    def __init__(self, name):
        self.name = name

    def __getattr__(self, wish):
        if wish.startswith("wants_"):
            return lambda: f"{self.name} wants {wish.removeprefix('wants_')}"
        raise AttributeError(wish)

    def __repr__(self):
        return f"{type(self).__name__}({self.name!r})"


class Staff(Guest, access=Access.ALL):
    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)


class Night(Staff, access=Access.WRITE):
    pass


@contextlib.contextmanager
def noted(log, what):
    log.append(f"begin {what}")
    try:
        yield log.append
    except LookupError as error:
        log.append(f"{type(error).__name__} {error}")
    finally:
        log.append(f"end {what}")


def handle(command: str, words: list[str]) -> dict:
    """Does what a command says; the commands are the functions of this file that begin with `do_`."""
    log = []
    result = None
    with noted(log, command) as note:
        function = globals().get(f"do_{command}")
        if function is None:
            known = sorted(name[3:] for name, value in globals().items() if name.startswith("do_") and callable(value))
            raise LookupError(f"{command} is none of {', '.join(known)}")
        note(str(inspect.signature(function)))
        result = function(*words)
    context.state.setdefault("log", []).extend(log)
    return {"result": result, "log": log, "line": inspect.currentframe().f_code.co_name}


def do_enter(name, kind="guest"):
    guest = Registered.kinds[kind](name)
    guests = context.state.setdefault("guests", {})
    guests.setdefault(kind, []).append(guest.name)
    return {
        "who": repr(guest),
        "access": str(guest.access),
        "may_write": Access.WRITE in guest.access,
        "line": [cls.__name__ for cls in type(guest).__mro__],
        "wish": guest.wants_tea() if hasattr(guest, "wants_tea") else None,
        "odd": hasattr(guest, "needs_tea"),
    }


def do_letters(*words):
    counts = Counter("".join(words).lower())
    groups = defaultdict(list)
    for letter, count in counts.most_common():
        groups[count].append(letter)
    return {str(count): "".join(sorted(letters)) for count, letters in groups.items()}


def do_letter(name, *lines):
    body = textwrap.fill(" ".join(lines), 30, initial_indent="  ", subsequent_indent="  ")
    scope = ChainMap({"name": name}, {"name": "nobody", "sign": "The desk"})
    return Template("Dear $name,\n$body\n$sign, ${missing}").safe_substitute(scope, body=body)


def do_turn(*words):
    line = deque(words, maxlen=3)
    line.rotate(1)
    functions = [lambda: n for n in range(3)]  # the famous late binding
    early = [lambda n=n: n for n in range(3)]
    x = 1

    def outer():
        x = 2

        def inner():
            nonlocal x
            x += 1
            return x

        return inner() + x

    return [list(line), [f() for f in functions], [f() for f in early], outer(), x, *(y := [*range(2)]), f"{y!r:>8}"]


def do_compute(text):
    scope = {"__builtins__": {}}
    return [eval(text, scope), sorted(scope), compile(text, "<rule>", "eval").co_names]
