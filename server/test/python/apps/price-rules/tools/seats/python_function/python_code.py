"""Recursion with memory, permutations and a generator that listens."""

from functools import cache
from itertools import groupby, permutations


def coroutine(function):
    def started(*args):
        generator = function(*args)
        next(generator)
        return generator

    started.__wrapped__ = function
    return started


@coroutine
def best_of(score):
    best = None
    while True:
        candidate = yield best
        if candidate is None:
            return best
        best = candidate if best is None else max(best, candidate, key=lambda one: (score(one), one))


def seats(guests: list[str], enemies: list[list[str]]) -> dict:
    """Seats guests in a row so that enemies sit as far from each other as can be."""

    @cache
    def distance(row):
        return min((abs(row.index(a) - row.index(b)) for a, b in enemies), default=0)

    listening = best_of(distance)
    for row in permutations(sorted(guests)):
        best = listening.send(row)
    try:
        listening.send(None)
    except StopIteration as stopped:
        assert stopped.value == best
    return {
        "row": best,
        "distance": distance(best),
        "ways": ways(len(guests)),
        "initials": {letter: list(names) for letter, names in groupby(sorted(guests), key=lambda name: name[0])},
    }


@cache
def ways(n):
    return 1 if n < 2 else n * ways(n - 1)
