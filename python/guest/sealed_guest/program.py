"""
What an embedder adds to the guest: globals that user code finds, what a call begins with and what it reports when it ends.
The embedder's package has a module `program` with an object of this class named `program`; without one this default serves.
"""

from sealed_guest import channel
from sealed_guest.json_values import decode


class Call:
    """One call of user code, from its arguments to its report."""

    __slots__ = ("globals", "positional")

    def __init__(self, globals, positional=()):
        self.globals = globals  # names of this call, beside those of `Program.globals`
        self.positional = positional

    def result(self, value):
        """The returned value in the form that goes to the host. Raises what is wrong with the call's side effects."""
        return value

    def report(self, returned):
        """What the host gets beside the result, JSON-like; None: nothing. `returned` is false after an exception."""
        return None


class Program:
    """Settings and hooks, all of them optional."""

    # `__name__` of the module that user code runs in, and of the logger that it finds.
    module_name = "user_code"
    logger_name = "user"

    # Advice in messages: what to use for HTTP, instead of threads, and instead of packages (by name).
    http_advice = "use urllib.request"
    concurrency_advice = "asyncio and concurrent.futures work on one"
    package_advice = {}

    def globals(self, logger):
        """Names that every module of user code finds. Called once, while the image is built."""
        return {"logger": logger, "host": Host()}

    def begin(self, fields, *segments):
        """
        The call that the host described by JSON `fields` and JSON texts (bytes). By default the texts are positional arguments. Lists that
        stayed with the host are read by `channel.read_list`.
        """
        return Call({}, [decode(segment) for segment in segments])

    def begin_inspection(self):
        """The call in which a file is loaded only to be described."""
        return Call({})


class Host:
    """The global `host` of the default program: `host.NAME(**arguments)` calls a host function and returns its result."""

    __slots__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)

        def call(**arguments):
            return channel.call(name, arguments)

        call.__name__ = name
        return call


# The program of this image.
current = Program()


def install(module):
    """Makes the program of this module the one of the image."""
    global current
    current = module.program
