#: dictionaries keep their order | CPython
def f():
    d = {"b": 1, "a": 2}
    d["c"] = 3
    d["b"] = 9
    del d["a"]
    d["a"] = 0
    e = d | {"z": 1}
    d |= [("y", 2)]
    return [list(d), list(reversed(d)), list(e), d.popitem(), d.setdefault("n", []), d.pop("none", "default"), dict.fromkeys("ab", 0), list(d.items())[0], d == dict(reversed(list(d.items())))]
#= [["b", "c", "a", "y"], ["y", "a", "c", "b"], ["b", "c", "a", "z"], ["y", 2], [], "default", {"a": 0, "b": 0}, ["b", 9], true]

#: dictionary views are live, and sets | CPython
def f():
    d = {"a": 1, "b": 2}
    keys, items = d.keys(), d.items()
    d["c"] = 3
    try:
        for k in d:
            d[k + "x"] = 1
    except RuntimeError as error:
        problem = str(error)
    return [sorted(keys & {"a", "c", "z"}), sorted(keys - {"a"})[:2], ("a", 1) in items, problem, len(items)]
#= [["a", "c"], ["ax", "b"], true, "dictionary changed size during iteration", 4]

#: defaultdict, Counter, OrderedDict, ChainMap | CPython
def f():
    from collections import ChainMap, Counter, OrderedDict, defaultdict
    d = defaultdict(list)
    d["a"].append(1)
    d.get("never")
    c = Counter("mississippi")
    c.subtract("miss")
    o = OrderedDict(a=1, b=2, c=3)
    o.move_to_end("a")
    m = ChainMap({"x": 1}, {"x": 2, "y": 3})
    m["y"] = 9
    return [dict(d), c.most_common(2), c["none"], (c + Counter(a=2) - Counter("i")).total(), sorted((c & Counter("ip")).items()), list(o), o.popitem(last=False), m["x"], m.maps, m.parents["y"], list(Counter(a=2, b=0).elements()), OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1)]
#= [{"a": [1]}, [["i", 3], ["s", 2]], 0, 8, [["i", 1], ["p", 1]], ["b", "c", "a"], ["b", 2], 1, [{"x": 1, "y": 9}, {"x": 2, "y": 3}], 3, ["a", "a"], false]

#: deques | CPython
def f():
    from collections import deque
    d = deque([1, 2, 3], maxlen=4)
    d.extend([4, 5])
    d.appendleft(0)
    d.rotate(-1)
    return [list(d), d.maxlen, d.index(3), d.count(9), d.popleft(), list(reversed(d)), d == deque([3, 4, 0]), repr(deque("ab", 3))]
#= [[2, 3, 4, 0], 4, 1, 0, 2, [0, 4, 3], true, "deque(['a', 'b'], maxlen=3)"]

#: sets and their algebra | CPython
def f():
    a, b = {1, 2, 3}, {3, 4}
    f = frozenset("ab")
    return [sorted(a | b), sorted(a ^ b), a - b == {1, 2}, a.isdisjoint({9}), {1} < a, a >= {1, 2, 3}, hash(f) == hash(frozenset("ba")), {f: 1}[frozenset("ab")], sorted(a.symmetric_difference(b, )), len({1, 1.0, True}), {*a, *b} == a.union(b), sorted(map(sorted, [{2, 1}, {0}]))]
#= [[1, 2, 3, 4], [1, 2, 4], true, true, true, true, true, 1, [1, 2, 4], 1, true, [[0], [1, 2]]]

#: lists: sorting, searching, multiplying | CPython
def f():
    rows = [[0] * 2] * 2
    rows[0][0] = 1
    words = ["b", "A", "c"]
    words.sort(key=str.lower, reverse=True)
    try:
        sorted([1, "a"])
    except TypeError as error:
        problem = str(error)
    return [rows, words, problem, [1, 2, 3].index(3, -1), [3, 1] < [3, 1, 0], [1, [2]] + [3], sorted([(2, "b"), (1, "z"), (2, "a")]), list(zip(*[[1, 2], [3, 4]])), any([]), all([]), sum([[1], [2]], []), list(enumerate("ab", 5))]
#= [[[1, 0], [1, 0]], ["c", "b", "A"], "'<' not supported between instances of 'str' and 'int'", 2, true, [1, [2], 3], [[1, "z"], [2, "a"], [2, "b"]], [[1, 3], [2, 4]], false, true, [1, 2], [[5, "a"], [6, "b"]]]

#: strict zip, max and min with keys and defaults | CPython
def f():
    try:
        list(zip([1, 2], [3], strict=True))
    except ValueError as error:
        problem = str(error)
    return [problem, max("apple", "fig", key=len), min([], default="none"), max([(1, "b"), (1, "a")]), list(map(lambda a, b: a + b, [1, 2], [10, 20, 30])), list(filter(None, [0, 1, "", "x"])), dict(zip("ab", range(9))), iter([1]).__length_hint__()]
#= ["zip() argument 2 is shorter than argument 1", "apple", "none", [1, "b"], [11, 22], [1, "x"], {"a": 0, "b": 1}, 1]

#: ranges and slices are values | CPython
def f():
    r = range(10, 0, -3)
    return [list(r), r[1], r[-1], 4 in r, 5 in r, len(range(0, 10**9, 7)), range(0, 3, 2) == range(0, 4, 2), r.index(4), list(r[::2]), slice(1, None, 2).indices(6), hash(range(0)) == hash(range(5, 5))]
#= [[10, 7, 4, 1], 7, 1, true, false, 142857143, true, 2, [10, 4], [1, 6, 2], true]

#: iterators with a sentinel, and iterables by index | CPython
def f():
    values = iter([3, 1, 0, 9])
    class ByIndex:
        def __getitem__(self, i):
            if i > 2: raise IndexError
            return i * i
    class Count:
        def __init__(self): self.n = 0
        def __iter__(self): return self
        def __next__(self):
            self.n += 1
            if self.n > 2: raise StopIteration
            return self.n
    c = Count()
    return [list(iter(lambda: next(values), 0)), list(values), list(ByIndex()), 4 in ByIndex(), list(c), list(c), next(iter([]), "empty")]
#= [[3, 1], [9], [0, 1, 4], true, [1, 2], [], "empty"]

#: user dictionaries, lists and mappings that cannot be changed | CPython
def f():
    from collections import UserDict, UserList
    from types import MappingProxyType, SimpleNamespace
    class Upper(UserDict):
        def __setitem__(self, k, v): super().__setitem__(k.upper(), v)
    u = Upper(a=1)
    u.update(b=2)
    proxy = MappingProxyType({"x": 1})
    try:
        proxy["y"] = 2
    except TypeError as error:
        problem = str(error)
    n = SimpleNamespace(a=1)
    n.b = [2]
    return [dict(u), UserList([1]) + [2] == [1, 2], problem, repr(n), n == SimpleNamespace(b=[2], a=1)]
#= [{"A": 1, "B": 2}, true, "'mappingproxy' object does not support item assignment", "namespace(a=1, b=[2])", true]

#: arrays, and copies of nested things | CPython
def f():
    import copy
    from array import array
    a = array("i", [1, 2])
    a.extend([3])
    x = [[1], [2]]
    y, z = copy.copy(x), copy.deepcopy(x)
    x[0].append(9)
    return [a.tolist(), a.itemsize, y, z, a.tobytes()[:4].hex(), array("d", [1.5]).tolist()]
#= [[1, 2, 3], 4, [[1, 9], [2]], [[1], [2]], "01000000", [1.5]]

#: graphs: topological order and shortest ways | CPython
def f():
    import heapq
    from graphlib import CycleError, TopologicalSorter
    order = list(TopologicalSorter({"d": {"b", "c"}, "b": {"a"}, "c": {"a"}}).static_order())
    try:
        list(TopologicalSorter({"a": {"b"}, "b": {"a"}}).static_order())
    except CycleError as error:
        problem = error.args[0]
    graph = {"a": {"b": 4, "c": 1}, "c": {"b": 2, "d": 5}, "b": {"d": 1}, "d": {}}
    best, queue = {}, [(0, "a")]
    while queue:
        cost, node = heapq.heappop(queue)
        if node not in best:
            best[node] = cost
            for other, more in graph[node].items():
                heapq.heappush(queue, (cost + more, other))
    return [order[0], order[-1], problem, best]
#= ["a", "d", "nodes are in a cycle", {"a": 0, "c": 1, "b": 3, "d": 4}]

#: a least-recently-used cache by hand, and one by weak keys | CPython
def f():
    from collections import OrderedDict
    class Lru(OrderedDict):
        def __init__(self, size): self.size = size
        def __setitem__(self, k, v):
            super().__setitem__(k, v)
            if len(self) > self.size: self.popitem(last=False)
        def __getitem__(self, k):
            v = super().__getitem__(k)
            self.move_to_end(k)
            return v
    c = Lru(2)
    c["a"], c["b"] = 1, 2
    c["a"]
    c["c"] = 3
    return [list(c), "b" in c]
#= [["a", "c"], false]

#: matrices: transposing, rotating, multiplying, flattening | CPython
def f():
    m = [[1, 2, 3], [4, 5, 6]]
    t = list(map(list, zip(*m)))
    return [t, [list(r) for r in zip(*m[::-1])], [[sum(a * b for a, b in zip(r, c)) for c in zip(*t)] for r in m], [x for r in m for x in r], max(map(max, m)), sum(map(sum, m))]
#= [[[1, 4], [2, 5], [3, 6]], [[4, 1], [5, 2], [6, 3]], [[14, 32], [32, 77]], [1, 2, 3, 4, 5, 6], 6, 21]

#: batches, windows and running totals | CPython
def f():
    from itertools import accumulate, islice
    def batched(items, n):
        it = iter(items)
        while batch := list(islice(it, n)):
            yield batch
    data = list(range(7))
    return [list(batched(data, 3)), [data[i:i + 3] for i in range(len(data) - 2)], list(accumulate(data)), list(accumulate([3, 1, 4, 1, 5], max))]
#= [[[0, 1, 2], [3, 4, 5], [6]], [[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6]], [0, 1, 3, 6, 10, 15, 21], [3, 3, 4, 4, 5]]

#: grouping, inverting and merging of records | CPython
def f():
    rows = [{"k": "a", "n": 1}, {"k": "b", "n": 2}, {"k": "a", "n": 3}]
    groups = {}
    for row in rows:
        groups.setdefault(row["k"], []).append(row["n"])
    def merge(a, b):
        return {k: merge(a[k], b[k]) if isinstance(a.get(k), dict) and isinstance(b.get(k), dict) else b.get(k, a.get(k)) for k in [*a, *(k for k in b if k not in a)]}
    return [groups, {v: k for k, v in {"x": 1, "y": 2}.items()}, merge({"a": {"x": 1, "y": 1}, "b": 1}, {"a": {"y": 2}, "c": 3})]
#= [{"a": [1, 3], "b": [2]}, {"1": "x", "2": "y"}, {"a": {"x": 1, "y": 2}, "b": 1, "c": 3}]
