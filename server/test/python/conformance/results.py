#: a value keeps its JSON | PY-28
def f():
    return {"a": (1, 2.5, True, None), "b": "Grüße 😀"}
#= {"a": [1, 2.5, true, null], "b": "Grüße 😀"}

#: what is nearly JSON becomes JSON | PY-28
import dataclasses, datetime, decimal, enum, uuid
class Size(enum.Enum):
    SMALL = "s"
@dataclasses.dataclass
class Row:
    id: int
    size: Size
def f():
    return [Row(1, Size.SMALL), datetime.datetime(2026, 1, 2, 3, 4), datetime.timedelta(minutes=1), decimal.Decimal("2"), decimal.Decimal("0.5"),
            uuid.UUID(int=5), b"bytes", {3}, range(2), (n for n in "ab"), Part.from_text("x")]
#= [{"id": 1, "size": "s"}, "2026-01-02T03:04:00", 60, 2, 0.5, "00000000-0000-0000-0000-000000000005", "bytes", [3], [0, 1], ["a", "b"], {"text": "x"}]

#: keys that are numbers become texts | PY-28
def f():
    return {1: "a", 2.5: "b", True: "c", None: "d"}
#= {"1": "c", "2.5": "b", "null": "d"}

#: a value without a JSON form is told | PY-28
def f():
    return {"x": object()}
#! TypeError: a value of type object has no JSON form, at ['x']
#@ 1 f def f():

#: a class is no value | PY-28
def f():
    return Part
#! TypeError: a value of type type has no JSON form

#: an infinite number is no value | PY-28
def f():
    return float("inf")
#! ValueError: Out of range float values are not JSON compliant: inf

#: arguments come by name and are turned into their types | PY-29
import dataclasses, enum
class Size(enum.Enum):
    SMALL = "s"
@dataclasses.dataclass
class Order:
    id: str
    size: Size = Size.SMALL
class Point(NamedTuple):
    x: int
    y: int = 0
def f(order: Order, sizes: list[Size], at: Point, weight: float, count: int, note: Optional[str] = None):
    return [type(order).__name__, order.size.name, [s.name for s in sizes], at.x + at.y, weight / 2, count, note]
#args {"order": {"id": "o"}, "sizes": ["s"], "at": {"x": 1, "y": 2}, "weight": 3, "count": 4.0}
#= ["Order", "SMALL", ["SMALL"], 3, 1.5, 4, null]

#: an argument that does not fit its type stays as it came | PY-29
def f(count: int, flag: bool):
    return [count, flag]
#args {"count": "many", "flag": "yes"}
#= ["many", "yes"]

#: an unknown argument is a TypeError | PY-29
def f(a: str):
    return a
#args {"b": 1}
#! TypeError: f() got an unexpected keyword argument 'b'
#@ 1 f def f(a: str):

#: a JSON null for an optional parameter | PY-29
def f(a: Optional[int], b: str | None = "x"):
    return [a, b]
#args {"a": null, "b": null}
#= [null, null]

#: a syntax error tells its line | PY-32
def f():
    x = [1,
    return x
#! SyntaxError: '[' was never closed
#@ 2 <module> x = [1,

#: an error while loading tells its line | PY-32
limit = 5
names = limit.nope
def f(): ...
#! AttributeError: 'int' object has no attribute 'nope'
#@ 2 <module> names = limit.nope

#: frames are the file's own, outermost first | PY-32
import json
def parse(text):
    return json.loads(text)
def f():
    return parse("{")
#entry f
#! JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)
#@ 5 f return parse("{")
#@ 3 parse return json.loads(text)

#: in a comprehension and in a lambda | PY-32
def f():
    return [divide(n) for n in (1, 0)]
divide = lambda n: 1 // n
#! ZeroDivisionError: integer division or modulo by zero
#@ 2 f return [divide(n) for n in (1, 0)]
#@ 3 <lambda> divide = lambda n: 1 // n

#: in a generator | PY-32
def numbers():
    yield 1
    raise ValueError("no more")
def f():
    return sum(numbers())
#entry f
#! ValueError: no more
#@ 5 f return sum(numbers())
#@ 3 numbers raise ValueError("no more")

#: a cause is told beside | PY-32
def f():
    try:
        {}["key"]
    except KeyError as error:
        raise RuntimeError("outer") from error
#! RuntimeError: outer
#@ 5 f raise RuntimeError("outer") from error
#> caused by KeyError: 'key' (line 3)

#: members of a group are told beside | PY-32
async def f():
    import asyncio
    async with asyncio.TaskGroup() as group:
        group.create_task(fail())
async def fail():
    raise ValueError("inner")
#! ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
#@ 3 f async with asyncio.TaskGroup() as group:
#> caused by ValueError: inner (line 6)

#: in asynchronous code | PY-32
import asyncio
async def fail():
    await asyncio.sleep(0)
    raise ValueError("late")
async def f():
    await asyncio.gather(fail())
#entry f
#! ValueError: late
#@ 6 f await asyncio.gather(fail())
#@ 4 fail raise ValueError("late")

#: notes belong to the message | PY-32
def f():
    error = ValueError("a")
    error.add_note("b")
    raise error
#! ValueError: a\nb
#@ 4 f raise error

#: an exception whose text fails | PY-32
class Odd(Exception):
    def __str__(self):
        raise KeyboardInterrupt
def f():
    raise Odd()
#! Odd:
#@ 5 f raise Odd()

#: leaving is an exception like any other | PY-32
def f():
    raise SystemExit(3)
#! SystemExit: 3
#@ 2 f raise SystemExit(3)

#: parameters that take no name are filled by position | PY-29
def f(first: int, second: int = 2, /, third: int = 3, *, fourth: int = 4):
    return [first, second, third, fourth]
#args {"first": 1.0, "third": 30, "fourth": 40}
#= [1, 2, 30, 40]

#: a parameter that takes no name and is missing is told by Python | PY-29
def f(first: int, second: int, /):
    return [first, second]
#args {"second": 2}
#! TypeError: f() got some positional-only arguments passed as keyword arguments: 'second'
#@ 1 f def f(first: int, second: int, /):

#: a function that is not there is told at the beginning of the file | PY-4
x = 1
#entry missing
#! NameError: the file defines no function named 'missing'; its functions are: none
#@ 1 <module> x = 1

#: an object with a decision is a structure with one | GUARD-14
class Verdict:
    decision = "TRIGGER"
    def __init__(self, reason):
        self.reason = reason
def f():
    return Verdict("because")
#= {"decision": "TRIGGER", "reason": "because"}

#: a named tuple with a decision is a structure with one | GUARD-14
class Verdict(NamedTuple):
    decision: str
    reason: str = ""
def f():
    return Verdict("OK")
#= {"decision": "OK", "reason": ""}
