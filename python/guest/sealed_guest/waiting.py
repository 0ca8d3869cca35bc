"""Waiting without a clock of one's own, and working side by side without threads: `time.sleep`, asyncio, executors."""

import threading
import time

from sealed_guest import program
from sealed_guest.channel import ask


def install():
    time.sleep = sleep
    threading._start_new_thread = _refuse_thread


def _refuse_thread(*_arguments):
    raise RuntimeError(f"can't start new thread: the sandbox has one. {program.current.concurrency_advice}")


def sleep(seconds):
    """Suspends the run. The host does the waiting; it counts as wall time, not as CPU time."""
    seconds = float(seconds)
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    if seconds >= 0.001:  # a shorter sleep is a yield, and there is nobody to yield to
        ask({"op": "sleep", "seconds": min(seconds, 86_400.0)})


class SleepingSelector:
    """Stands where an event loop expects the socket selector: there are no sockets, so waiting is sleeping."""

    def select(self, timeout):
        if timeout is None:
            raise RuntimeError("the event loop would wait forever: nothing is scheduled")
        if timeout > 0:
            sleep(timeout)
        return []

    def close(self):
        pass


def install_event_loop(asyncio):
    """Called once `asyncio` is loaded: gives it a loop without sockets, processes, signals and threads."""

    class SandboxEventLoop(asyncio.BaseEventLoop):
        def __init__(self):
            super().__init__()
            self._selector = SleepingSelector()

        def _process_events(self, event_list):
            pass

        def _write_to_self(self):
            pass

        def run_in_executor(self, executor, func, *args):
            future = self.create_future()
            _settle(future, func, args, {})
            return future

    class Policy(asyncio.events.BaseDefaultEventLoopPolicy):
        _loop_factory = SandboxEventLoop

    asyncio.set_event_loop_policy(Policy())


def install_executor(thread):
    """Called once `concurrent.futures.thread` is loaded: its executor does the work at once, on the only thread there is."""

    class ThreadPoolExecutor(thread._base.Executor):
        def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=()):
            if initializer:
                initializer(*initargs)

        def submit(self, fn, /, *args, **kwargs):
            future = thread._base.Future()
            _settle(future, fn, args, kwargs)
            return future

    thread.ThreadPoolExecutor = ThreadPoolExecutor


def _settle(future, function, args, kwargs):
    try:
        future.set_result(function(*args, **kwargs))
    except Exception as error:
        future.set_exception(error)
