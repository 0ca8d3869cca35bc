# Never coming back. Every run ends at its limit, and the next tenant is served.

# case: an endless loop
# cpu: 200
# ends: timeout
def attack(target):
    while True:
        pass

# case: an endless loop that catches everything
# cpu: 200
# ends: timeout
def attack(target):
    while True:
        try:
            while True:
                pass
        except:
            continue
        finally:
            continue

# case: an endless loop while the file is loaded
# cpu: 200
# ends: timeout
host.attacking()
while True:
    pass
def attack(target):
    pass

# case: a loop inside C
# repeats: a loop inside C without any Python
# cpu: 200
# ends: timeout
def attack(target):
    sum(range(10**13))

# case: a loop inside C without any Python
# cpu: 200
# ends: timeout
def attack(target):
    import collections, itertools
    collections.deque(itertools.repeat(None), maxlen=0)

# case: big numbers
# repeats: the power of big numbers
# cpu: 200
# ends: timeout
def attack(target):
    x = 7
    while True:
        x = x * x

# case: the power of big numbers
# cpu: 200
# ends: timeout
def attack(target):
    pow(3, 10**7) % (10**9)
    pow(3, 10**8)

# case: a regular expression that backtracks
# cpu: 200
# ends: timeout
def attack(target):
    import re
    re.match(r"(a|a?)+$", "a" * 64 + "b")

# case: searching a long text for itself
# cpu: 200
# ends: timeout
def attack(target):
    for _ in range(10**9):
        ("a" * 500_000).find("a" * 250_000 + "b")

# case: sleeping for ever
# wall: 1000
# ends: timeout
def attack(target):
    import time
    time.sleep(1e18)

# case: sleeping in small pieces for ever
# repeats: sleeping for ever
# wall: 1000
# ends: timeout
def attack(target):
    import time
    while True:
        time.sleep(0.001)

# case: waiting for a lock that nobody gives back
# repeats: waiting for a queue that nobody fills
# cpu: 300
# wall: 1500
# ends: timeout|raised|crashed
def attack(target):
    import threading
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()

# case: waiting for a queue that nobody fills
# cpu: 300
# wall: 1500
# ends: timeout|raised|crashed
def attack(target):
    import queue
    queue.Queue().get()

# case: an event loop without an end
# cpu: 200
# wall: 1500
# ends: timeout
def attack(target):
    import asyncio

    async def forever():
        while True:
            await asyncio.sleep(0)

    asyncio.run(forever())

# case: waiting for a tool that never answers
# functions: never
# wall: 1000
# ends: timeout
def attack(target):
    host.never()

# case: a result whose making never ends
# cpu: 200
# ends: timeout|out-of-memory
def attack(target):
    class Endless:
        def __iter__(self):
            while True:
                yield None
    tried["endless"] = Endless()

# case: an exception whose text never ends
# cpu: 200
# ends: timeout
def attack(target):
    class Endless(Exception):
        def __str__(self):
            while True:
                pass
    raise Endless

# case: a finalizer that never ends
# cpu: 200
# ends: timeout
def attack(target):
    class Endless:
        def __del__(self):
            while True:
                pass
    del Endless

    class Again:
        def __del__(self):
            while True:
                try:
                    while True:
                        pass
                except BaseException:
                    pass
    Again()

# case: keys that all collide
# cpu: 200
# ends: timeout
def attack(target):
    class Same:
        def __hash__(self):
            return 1
    {Same(): n for n in range(10**6)}
