"""Answers from outside the interpreter: ExternalResponse, the future of one, StatusError and HttpMethod."""

import enum
import json
from collections.abc import Mapping

from sealed_guest import channel

_loads = json.loads


class HttpMethod(str, enum.Enum):
    """An HTTP method."""

    GET = "GET"
    POST = "POST"
    PUT = "PUT"
    DELETE = "DELETE"
    PATCH = "PATCH"
    HEAD = "HEAD"
    OPTIONS = "OPTIONS"


class StatusError(Exception):
    """Raised by `raise_for_status` for a status of 400 or more."""

    def __init__(self, status_code, reason=""):
        super().__init__(f"{status_code}: {reason}" if reason else str(status_code))
        self.status_code = status_code
        self.reason = reason


class Headers(dict):
    """Headers of an answer; names are found in any spelling."""

    def __init__(self, headers):
        super().__init__({str(name).lower(): value for name, value in dict(headers).items()})

    def __getitem__(self, name):
        return super().__getitem__(name.lower())

    def __contains__(self, name):
        return isinstance(name, str) and super().__contains__(name.lower())

    def get(self, name, default=None):
        return super().get(name.lower(), default)


class ExternalResponse(Mapping):
    """
    The answer of a tool or an HTTP server (PY-17). Existing code also indexes it like the dict it carries, with or without the
    `result` wrapper around a Python tool's value: both work.
    """

    def __init__(self, text="", status_code=200, reason="", headers=None):
        self.text = text
        self.status_code = status_code
        self.reason = reason
        self.headers = Headers(headers or {})

    @property
    def ok(self) -> bool:
        return self.status_code < 400

    @property
    def content(self) -> bytes:
        return self.text.encode()

    def json(self):
        return _loads(self.text)

    def raise_for_status(self) -> None:
        if not self.ok:
            raise StatusError(self.status_code, self.reason)

    def __getitem__(self, key):
        body = self.json()
        if isinstance(body, dict) and key not in body and isinstance(body.get("result"), dict):
            return body["result"][key]
        return body[key]

    def get(self, key, default=None):
        try:
            return self[key]
        except (KeyError, IndexError, TypeError, ValueError):
            return default

    def __contains__(self, key):
        return self.get(key, _ABSENT) is not _ABSENT

    def __iter__(self):
        return iter(self.json())

    def __len__(self):
        return len(self.json())

    def __bool__(self):
        return self.ok

    def __eq__(self, other):
        """The same answer, or a dict that equals what the answer carries."""
        if isinstance(other, ExternalResponse):
            return self.text == other.text and self.status_code == other.status_code
        return self._to_json() == other

    __hash__ = object.__hash__

    def _to_json(self):
        try:
            return self.json()
        except ValueError:
            return self.text

    def __repr__(self):
        return f"<ExternalResponse [{self.status_code}]>"


_ABSENT = object()


def response_of(reply):
    """The ExternalResponse of one host reply."""
    return ExternalResponse(reply["text"], reply["status"], reply["reason"], reply.get("headers"))


class ResponseFuture:
    """A tool or a request that goes on (PY-26, PY-56). Call it for the ExternalResponse."""

    __slots__ = ("_handle", "_response")

    def __init__(self, handle):
        self._handle = handle
        self._response = None

    def __call__(self):
        if self._response is None:
            self._response = response_of(channel.wait(self._handle))
        return self._response

    result = __call__

    def __await__(self):
        return self()
        yield  # makes this a generator, as `await` wants
