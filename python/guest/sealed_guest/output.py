"""Printed and logged lines on their way to the trace: three write-only streams, one descriptor each."""

import io
import logging
import posix
import sys

STANDARD_OUTPUT, STANDARD_ERROR, LOG = 1, 2, 4
_write = posix.write


class LineStream(io.TextIOBase):
    """A text stream that hands whole lines to the host, so that they survive even a run that is killed."""

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._line = ""

    def writable(self):
        return True

    def fileno(self):
        return self._descriptor

    def write(self, text):
        self._line += text
        end = self._line.rfind("\n") + 1
        if end:
            _write(self._descriptor, self._line[:end].encode(errors="replace"))
            self._line = self._line[end:]
        return len(text)

    def flush(self):
        if self._line:
            _write(self._descriptor, self._line.encode(errors="replace"))
            self._line = ""


class _LogHandler(logging.Handler):
    def emit(self, record):
        _write(LOG, (self.format(record) + "\n").encode(errors="replace"))


def install(logger_name):
    """Replaces the standard streams and sends every logger's records to the log stream. Returns the global `logger` (PY-9)."""
    sys.stdout = sys.__stdout__ = LineStream(STANDARD_OUTPUT)
    sys.stderr = sys.__stderr__ = LineStream(STANDARD_ERROR)
    handler = _LogHandler()
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logger = logging.getLogger(logger_name)
    logger.setLevel(logging.DEBUG)
    return logger


def flush():
    """Sends the last, unfinished lines."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, LineStream):
            stream.flush()


def complain(line):
    """A line of the platform's own among the errors, whatever the code did to `sys.stderr`."""
    flush()
    _write(STANDARD_ERROR, (line.replace("\n", " ") + "\n").encode(errors="replace"))
