#: every class answers by its name and under both prefixes | PY-6
def f():
    names = """AsyncTools Blob CallbackContext Content Event EventActions ExternalResponse FunctionCall FunctionDeclaration FunctionResponse
        GenerateContentConfig HttpMethod LlmRequest LlmResponse Part Requests StatusError Tool ToolContext Tools ToolDeclaration""".split()
    return [name for name in names if not globals()[name] is getattr(ces_public, name) is getattr(ces_internal, name)]
#= []

#: the prefixes can be imported | PY-6
import ces_public
from ces_internal import Part as InternalPart, LlmResponse
from ces_public import *
def f():
    return [InternalPart is ces_public.Part, ces_public.tools is tools, ces_public.context is context]
#= [true, true, true]

#: globals and dir tell what there is | PY-8
def f():
    here = globals()
    return [name for name in ("context", "tools", "async_tools", "ces_requests", "get_variable", "set_variable", "remove_variable", "logger", "Part") if name not in here]
#= []

#: names of typing need no import | PY-7
def f(a: Optional[str] = None, b: Dict[str, List[Any]] = {}, c: Literal["x"] = "x", d: Iterator[int] = None) -> Union[int, Tuple[int, ...]]:
    class Row(TypedDict):
        a: Annotated[int, "n"]
    return [Row(a=1), cast(int, "x")]
#= [{"a": 1}, "x"]

#: rarer names of typing need no import either | PY-7
def f(text: Text = "", pattern: Pattern = None):
    if TYPE_CHECKING:
        return "never"
    names = "AnyStr Callable ContextManager Generic IO LiteralString Match NamedTuple ParamSpec Protocol Self TypeAlias Unpack overload"
    return [name for name in names.split() if name not in globals()]
#= []

#: print goes to the trace | PY-9
def f():
    print("one", 2, sep="-")
    print("no end", end="")
#= null
#> one-2
#> no end

#: logger logs | PY-9
def f():
    logger.info("got %s", 5)
    logger.warning("careful")
    logger.debug("detail")
#= null
#> INFO got 5
#> WARNING careful
#> DEBUG detail

#: logging works by any logger | PY-9
import logging
log = logging.getLogger(__name__)
def f():
    log.error("bad")
    log.info("good")
#= null
#> ERROR bad
#> INFO good

#: the file's own globals are its own | PY-3
counter = 0
def f():
    global counter
    counter += 1
    return [counter, __name__ != "__main__", "f" in globals()]
#= [1, true, true]

#: the entry function is the first of the file | PY-4
import json
class NotAFunction: pass
def first():
    return second()
def second():
    return "second"
#entry
#= "second"

#: a name chooses the entry function | PY-4
def a():
    return "a"
def b():
    return "b"
#entry b
#= "b"

#: names are case-sensitive | PY-4
def lookup():
    pass
#entry Lookup
#! NameError: the file defines no function named 'Lookup'; its functions are: lookup

#: a platform class is not an entry | PY-4
def other():
    pass
#entry Part
#! NameError: the file defines no function named 'Part'; its functions are: other

#: nested definitions, closures and recursion | PY-3
def f():
    def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
    return [fib(15), (lambda x: x * 2)(4), helper(3)]
def helper(n):
    return [n] if n == 0 else [n, *helper(n - 1)]
#= [610, 8, [3, 2, 1, 0]]

#: an asynchronous entry runs | PY-4
import asyncio
async def f():
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(asyncio.sleep(0.001, n)) for n in range(3)]
    return [task.result() for task in tasks]
#= [0, 1, 2]
