"""`urllib.request` without sockets: its HTTP handlers call the host function `http`."""

import base64
import io

from sealed_guest import channel


def install(module):
    """Called once `urllib.request` is loaded: replaces the handlers that `urlopen` uses."""

    class HostHandler(module.BaseHandler):
        def http_open(self, request):
            return _perform(module, request)

        https_open = http_open

    module.HTTPHandler = module.HTTPSHandler = HostHandler
    module.build_opener = lambda *handlers: _opener(module, HostHandler, handlers)


def _opener(module, handler, extra):
    opener = module.OpenerDirector()
    for one in (handler, module.UnknownHandler, module.HTTPDefaultErrorHandler, module.HTTPErrorProcessor, *extra):
        opener.add_handler(one() if isinstance(one, type) else one)
    return opener


def _perform(module, request):
    question = {
        "method": request.get_method(),
        "url": request.full_url,
        "headers": {name: str(value) for name, value in request.header_items()},
    }
    if request.data is not None:
        question["body"] = base64.b64encode(b"".join([request.data] if isinstance(request.data, bytes) else request.data)).decode()
        question["bodyEncoding"] = "base64"
    if isinstance(request.timeout, (int, float)):
        question["timeout"] = request.timeout
    reply = channel.call("http", question)
    headers = module.email.message.Message()
    for name, value in (reply.get("headers") or {}).items():
        headers[name] = value
    response = module.addinfourl(io.BytesIO(reply["text"].encode()), headers, request.full_url, reply["status"])
    response.msg = response.reason = reply["reason"]
    return response
