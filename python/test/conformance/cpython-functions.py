#: closures bind late, defaults bind early | CPython
def f():
    late = [lambda: n for n in range(3)]
    early = [lambda n=n: n for n in range(3)]
    return [[one() for one in late], [one() for one in early]]
#= [[2, 2, 2], [0, 1, 2]]

#: nonlocal and counters | CPython
def f():
    def counter(start):
        n = start
        def step(by=1):
            nonlocal n
            n += by
            return n
        return step
    a, b = counter(0), counter(10)
    return [a(), a(5), b(), a(), b(-1)]
#= [1, 6, 11, 7, 10]

#: a closure's cells can be looked at | CPython
def f():
    x, y = 1, "two"
    def inner():
        return x, y
    return [inner.__code__.co_freevars, [cell.cell_contents for cell in inner.__closure__]]
#= [["x", "y"], [1, "two"]]

#: an unbound local tells its name | CPython
def f():
    def inner():
        print(x)
        x = 1
    try:
        inner()
    except UnboundLocalError as error:
        return str(error)
#= "cannot access local variable 'x' where it is not associated with a value"

#: a free variable that was deleted | CPython
def f():
    x = 1
    def inner():
        return x
    del x
    try:
        return inner()
    except NameError as error:
        return [type(error).__name__, str(error)]
#= ["NameError", "cannot access free variable 'x' where it is not associated with a value in enclosing scope"]

#: argument kinds and their mistakes | CPython
def f():
    def g(a, /, b, *rest, c, d=4, **more):
        return [a, b, rest, c, d, more]
    good = [g(1, 2, c=3), g(1, 2, 3, 4, c=5, a=6), g(1, b=2, c=3, e=5)]
    bad = []
    for call in (lambda: g(), lambda: g(1, 2), lambda: g(1, 2, c=1, b=3), lambda: g(a=1, b=2, c=3)):
        try:
            call()
        except TypeError as error:
            bad.append(str(error))
    return [good, bad]
#= [[[1, 2, [], 3, 4, {}], [1, 2, [3, 4], 5, 4, {"a": 6}], [1, 2, [], 3, 4, {"e": 5}]], ["f.<locals>.g() missing 2 required positional arguments: 'a' and 'b'", "f.<locals>.g() missing 1 required keyword-only argument: 'c'", "f.<locals>.g() got multiple values for argument 'b'", "f.<locals>.g() missing 1 required positional argument: 'a'"]]

#: mutable defaults are shared | CPython
def f():
    def add(item, items=[]):
        items.append(item)
        return list(items)
    return [add(1), add(2), add(3, []), add(4), add.__defaults__]
#= [[1], [1, 2], [3], [1, 2, 4], [[1, 2, 4]]]

#: decorators with and without arguments, and wraps | CPython
def f():
    import functools
    log = []
    def traced(label):
        def decorate(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                log.append((label, function.__name__, args))
                return function(*args, **kwargs)
            return wrapper
        return decorate
    @traced("outer")
    @traced("inner")
    def add(a, b):
        "Adds."
        return a + b
    return [add(1, 2), log, add.__name__, add.__doc__, add.__wrapped__.__wrapped__(3, 4)]
#= [3, [["outer", "add", [1, 2]], ["inner", "add", [1, 2]]], "add", "Adds.", 7]

#: generators: send, throw, close, return | CPython
def f():
    log = []
    def g():
        try:
            got = yield 1
            log.append(got)
            try:
                yield 2
            except ValueError as error:
                log.append(str(error))
                yield "caught"
            yield 3
        finally:
            log.append("closed")
    one = g()
    first = [next(one), one.send("hello"), one.throw(ValueError("oops")), next(one)]
    one.close()
    def h():
        yield 1
        return "end"
    two = h()
    next(two)
    try:
        next(two)
    except StopIteration as stop:
        return [first, log, stop.value]
#= [[1, 2, "caught", 3], ["hello", "oops", "closed"], "end"]

#: yield from passes values both ways | CPython
def f():
    def inner():
        total = 0
        while True:
            n = yield total
            if n is None:
                return total
            total += n
    def outer(results):
        while True:
            results.append((yield from inner()))
    results = []
    one = outer(results)
    next(one)
    for n in (1, 2, None, 10, None):
        one.send(n)
    return results
#= [3, 10]

#: a StopIteration inside a generator is an error | CPython
def f():
    def g():
        yield next(iter([]))
    try:
        list(g())
    except RuntimeError as error:
        return [str(error), type(error.__cause__).__name__]
#= ["generator raised StopIteration", "StopIteration"]

#: generator expressions take their first iterable at once | CPython
def f():
    items = [1, 2, 3]
    lazy = (x * factor for x in items)
    factor = 10
    items.append(4)
    items = []
    return [list(lazy), sum(x for x in range(5) if x % 2)]
#= [[10, 20, 30, 40], 4]

#: recursion: Ackermann, permutations, Hanoi | CPython
def f():
    def ackermann(m, n):
        return n + 1 if m == 0 else ackermann(m - 1, 1 if n == 0 else ackermann(m, n - 1))
    def permutations(items):
        return [[]] if not items else [[x, *rest] for i, x in enumerate(items) for rest in permutations(items[:i] + items[i + 1:])]
    def hanoi(n, a, b, c):
        return [] if n == 0 else hanoi(n - 1, a, c, b) + [a + c] + hanoi(n - 1, b, a, c)
    return [ackermann(2, 3), permutations([1, 2, 3]), hanoi(3, "a", "b", "c")]
#= [9, [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]], ["ac", "ab", "cb", "ac", "ba", "bc", "ac"]]

#: mutual recursion to a depth of nine hundred, and past the limit | CPython
def f():
    def even(n):
        return True if n == 0 else odd(n - 1)
    def odd(n):
        return False if n == 0 else even(n - 1)
    try:
        even(100_000)
    except RecursionError as error:
        return [even(400), odd(401), str(error).startswith("maximum recursion depth exceeded")]
#= [true, true, true]

#: functools: reduce, partial, partialmethod, cache | CPython
def f():
    import functools
    class Power:
        def power(self, base, exponent):
            return base ** exponent
        square = functools.partialmethod(power, exponent=2)
    calls = []
    @functools.lru_cache(maxsize=2)
    def slow(n):
        calls.append(n)
        return n * n
    values = [slow(n) for n in (1, 2, 1, 3, 1, 2)]
    info = slow.cache_info()
    return [functools.reduce(lambda a, b: a * b, range(1, 6), 2), functools.partial(int, base=2)("101"), Power().square(7), values, calls, [info.hits, info.misses, info.currsize]]
#= [240, 5, 49, [1, 4, 1, 9, 1, 4], [1, 2, 3, 2], [2, 4, 2]]

#: functools: singledispatch, total_ordering, cached_property | CPython
def f():
    import functools, numbers
    @functools.singledispatch
    def show(x):
        return "thing"
    @show.register
    def _(x: int):
        return "int"
    @show.register(list)
    @show.register(tuple)
    def _(x):
        return "many"
    @functools.total_ordering
    class V:
        def __init__(self, n): self.n = n
        def __eq__(self, o): return self.n == o.n
        def __lt__(self, o): return self.n < o.n
    class C:
        made = 0
        @functools.cached_property
        def value(self):
            C.made += 1
            return C.made
    c = C()
    return [[show(x) for x in (1, True, [1], (1,), "s")], [V(1) <= V(2), V(2) >= V(3), V(1) > V(0)], [c.value, c.value, C().value, C.made]]
#= [["int", "int", "many", "many", "thing"], [true, false, true], [1, 1, 2, 2]]

#: functools.cmp_to_key and stable sorting | CPython
def f():
    import functools
    words = ["pear", "fig", "apple", "kiwi", "date"]
    by_length = sorted(words, key=len)
    both = sorted(words, key=functools.cmp_to_key(lambda a, b: len(b) - len(a) or (a > b) - (a < b)))
    return [by_length, sorted(by_length, key=lambda w: w[-1], reverse=True), both]
#= [["fig", "pear", "kiwi", "date", "apple"], ["pear", "kiwi", "fig", "date", "apple"], ["apple", "date", "kiwi", "pear", "fig"]]

#: itertools: the endless ones | CPython
def f():
    from itertools import accumulate, chain, count, cycle, islice, repeat, takewhile
    return [list(islice(count(10, -3), 4)), list(islice(cycle("ab"), 5)), list(repeat("x", 2)), list(accumulate([1, 2, 3, 4], lambda a, b: a * b, initial=1)),
            list(chain.from_iterable(["ab", [1, 2]])), list(takewhile(lambda n: n < 30, (n * n for n in count())))]
#= [[10, 7, 4, 1], ["a", "b", "a", "b", "a"], ["x", "x"], [1, 1, 2, 6, 24], ["a", "b", 1, 2], [0, 1, 4, 9, 16, 25]]

#: itertools: combinations and groups | CPython
def f():
    from itertools import combinations, combinations_with_replacement, compress, dropwhile, groupby, pairwise, permutations, product, starmap, tee, zip_longest, filterfalse
    a, b = tee(iter([1, 2, 3]))
    return [list(combinations("abc", 2)), list(permutations([1, 2, 3], 2)), list(combinations_with_replacement("ab", 2)), list(product("ab", [1, 2])), [[k, list(g)] for k, g in groupby("aaabbca")],
            list(pairwise([1, 2, 3])), list(zip_longest("ab", [1], fillvalue="-")), list(compress("abcd", [1, 0, 1, 0])), list(starmap(pow, [(2, 3), (3, 2)])), [next(a), list(b), list(a)],
            list(dropwhile(str.islower, "abCd")), list(filterfalse(None, [0, 1, "", 2]))]
#= [[["a", "b"], ["a", "c"], ["b", "c"]], [[1, 2], [1, 3], [2, 1], [2, 3], [3, 1], [3, 2]], [["a", "a"], ["a", "b"], ["b", "b"]], [["a", 1], ["a", 2], ["b", 1], ["b", 2]], [["a", ["a", "a", "a"]], ["b", ["b", "b"]], ["c", ["c"]], ["a", ["a"]]], [[1, 2], [2, 3]], [["a", 1], ["b", "-"]], ["a", "c"], [8, 9], [1, [1, 2, 3], [2, 3]], ["C", "d"], [0, ""]]

#: operator: itemgetter, attrgetter, methodcaller | CPython
def f():
    from operator import attrgetter, itemgetter, methodcaller
    rows = [{"a": 2, "b": "x"}, {"a": 1, "b": "y"}]
    return [sorted(rows, key=itemgetter("a")), list(map(itemgetter("b", "a"), rows)), attrgetter("real", "imag")(3 + 4j), methodcaller("split", "-", 1)("a-b-c")]
#= [[{"a": 1, "b": "y"}, {"a": 2, "b": "x"}], [["x", 2], ["y", 1]], [3.0, 4.0], ["a", "b-c"]]

#: a coroutine is run, with gather, wait_for and a task group | CPython
async def f():
    import asyncio
    async def one(n):
        await asyncio.sleep(0)
        return n * n
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(n)) for n in range(3)]
    async def failing():
        raise KeyError("k")
    results = await asyncio.gather(one(5), failing(), return_exceptions=True)
    return [[task.result() for task in tasks], [results[0], repr(results[1])], await asyncio.wait_for(one(7), 5)]
#= [[0, 1, 4], [25, "KeyError('k')"], 49]

#: asynchronous generators and comprehensions | CPython
async def f():
    async def numbers(n):
        for i in range(n):
            yield i
    class Managed:
        async def __aenter__(self):
            return "in"
        async def __aexit__(self, *error):
            return True
    async with Managed() as got:
        raise ValueError
    return [[n async for n in numbers(4) if n % 2], {n: n * n async for n in numbers(3)}, got]
#= [[1, 3], {"0": 0, "1": 1, "2": 4}, "in"]

#: lambdas in data, composition and currying | CPython
def f():
    from functools import reduce
    compose = lambda *fs: reduce(lambda a, b: lambda x: b(a(x)), fs)
    curry = lambda g: lambda a: lambda b: g(a, b)
    table = {"+": lambda a, b: a + b, "!": lambda a, b=None: -a}
    return [compose(str, len, lambda n: n * 2)(12345), curry(pow)(2)(10), table["+"](1, 2), table["!"](5), (lambda *a, **k: [a, k])(1, x=2), (lambda: (yield))().__class__.__name__]
#= [10, 1024, 3, -5, [[1], {"x": 2}], "generator"]

#: trampolines: tail calls without a stack | CPython
def f():
    def trampoline(g, *args):
        r = g(*args)
        while callable(r):
            r = r()
        return r
    def total(n, acc=0):
        return acc if n == 0 else lambda: total(n - 1, acc + n)
    return trampoline(total, 20_000)
#= 200010000

#: Y combinator, generators as pipelines, and a sieve | CPython
def f():
    y = lambda g: (lambda x: x(x))(lambda x: g(lambda *a: x(x)(*a)))
    factorial = y(lambda me: lambda n: 1 if n < 2 else n * me(n - 1))
    def sieve(numbers):
        for prime in numbers:
            yield prime
            numbers = filter(lambda n, p=prime: n % p, numbers)
    from itertools import count, islice
    pipeline = (n * n for n in (int(t) for t in "1 2 3".split()) if n % 2)
    return [factorial(10), list(islice(sieve(count(2)), 8)), list(pipeline)]
#= [3628800, [2, 3, 4, 5, 6, 7, 8, 9], [1, 9]]
