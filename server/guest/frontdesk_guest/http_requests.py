"""The global `ces_requests`: HTTP in the manner of the `requests` library, performed by the host."""

import base64
import json as json_module
import logging
import urllib.parse

from sealed_guest import channel
from frontdesk_guest.responses import HttpMethod, ResponseFuture, response_of

_OPTIONS = frozenset("params headers data json timeout allow_redirects auth cookies".split())
_log = logging.getLogger("ces_requests")


class Requests:
    """
    HTTP calls (PY-27). Keywords: params, headers, data, json, timeout (seconds), allow_redirects, auth (name, password), cookies.
    Any other is ignored and logged. Those with `async_` start a request (PY-56): calling or awaiting what they return waits for the answer.
    """

    __slots__ = ()

    def request(self, method, url, **options):
        return response_of(channel.call("http", _question(method, url, options)))

    def get(self, url, params=None, **options):
        return self.request("GET", url, params=params, **options)

    def post(self, url, data=None, json=None, **options):
        return self.request("POST", url, data=data, json=json, **options)

    def put(self, url, data=None, json=None, **options):
        return self.request("PUT", url, data=data, json=json, **options)

    def patch(self, url, data=None, json=None, **options):
        return self.request("PATCH", url, data=data, json=json, **options)

    def delete(self, url, **options):
        return self.request("DELETE", url, **options)

    def head(self, url, **options):
        return self.request("HEAD", url, **options)

    def options(self, url, **options):
        return self.request("OPTIONS", url, **options)

    def async_request(self, method, url, **options):
        return ResponseFuture(channel.start("http", _question(method, url, options)))

    def async_get(self, url, params=None, **options):
        return self.async_request("GET", url, params=params, **options)

    def async_post(self, url, data=None, json=None, **options):
        return self.async_request("POST", url, data=data, json=json, **options)

    def async_put(self, url, data=None, json=None, **options):
        return self.async_request("PUT", url, data=data, json=json, **options)

    def async_patch(self, url, data=None, json=None, **options):
        return self.async_request("PATCH", url, data=data, json=json, **options)

    def async_delete(self, url, **options):
        return self.async_request("DELETE", url, **options)

    def async_head(self, url, **options):
        return self.async_request("HEAD", url, **options)

    def async_options(self, url, **options):
        return self.async_request("OPTIONS", url, **options)


def _question(method, url, options):
    method = HttpMethod(str(getattr(method, "value", method)).upper()).value
    for name in options.keys() - _OPTIONS:
        _log.warning("ces_requests does not know the option %r and went on without it", name)
    headers = {str(name): _text(value) for name, value in (options.get("headers") or {}).items() if value is not None}
    question = {"method": method, "url": _with_params(str(url), options.get("params")), "headers": headers}
    _add_body(question, headers, options.get("data"), options.get("json"))
    if options.get("auth"):
        name, password = options["auth"]
        headers["Authorization"] = "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()
    if options.get("cookies"):
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in options["cookies"].items())
    seconds = _seconds(options.get("timeout"))
    if seconds is not None:
        question["timeout"] = seconds
    if options.get("allow_redirects") is not None:
        question["allowRedirects"] = bool(options["allow_redirects"])
    return question


def _with_params(url, params):
    if not params:
        return url
    if isinstance(params, dict):
        params = {name: value for name, value in params.items() if value is not None}
    query = params if isinstance(params, str) else urllib.parse.urlencode(params, doseq=True)
    address, mark, fragment = url.partition("#")
    joined = address + ("&" if "?" in address else "?") + query if query else address
    return joined + mark + fragment


def _add_body(question, headers, data, json):
    if not data and json is not None:
        question["body"] = json_module.dumps(json)
        _default_type(headers, "application/json")
        return
    if hasattr(data, "read"):
        data = data.read()
    if isinstance(data, (bytes, bytearray)):
        question["body"] = base64.b64encode(data).decode()
        question["bodyEncoding"] = "base64"
    elif isinstance(data, str):
        question["body"] = data
    elif data is not None:
        question["body"] = urllib.parse.urlencode(data, doseq=True)
        _default_type(headers, "application/x-www-form-urlencoded")


def _default_type(headers, value):
    if not any(name.lower() == "content-type" for name in headers):
        headers["Content-Type"] = value


def _seconds(timeout):
    """A number, or (connect, read) of which the longer one counts; None = the host's own limit."""
    given = timeout if isinstance(timeout, tuple) else (timeout,)
    return max((float(each) for each in given if each is not None), default=None)


def _text(value):
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
