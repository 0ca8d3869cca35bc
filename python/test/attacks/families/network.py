# Reaching the network without the host's gate. `target.port` listens on loopback and must never be connected to.

# case: importing what opens sockets, past the explanation why not
# steps: {"import": "ModuleNotFoundError", "connect": "OSError", "listen": "OSError", "pair": "(OSError|AttributeError)", "descriptor": "OSError", "resolve": "OSError", "poll": "(OSError|AttributeError)", "ssl": "ModuleNotFoundError", "socketserver": "ModuleNotFoundError", "smtplib": "ModuleNotFoundError", "ftplib": "ModuleNotFoundError", "xmlrpc.client": "ModuleNotFoundError", "multiprocessing.connection": "ModuleNotFoundError"}
def attack(target):
    import importlib
    attempt("import", lambda: __import__("socket"))
    socket = importlib.import_module("socket")
    attempt("connect", lambda: socket.create_connection(("127.0.0.1", target["port"])))
    attempt("listen", lambda: socket.create_server(("127.0.0.1", 0)))
    attempt("pair", lambda: socket.socketpair())
    attempt("descriptor", lambda: socket.socket(fileno=3).send(b"x"))
    attempt("resolve", lambda: socket.getaddrinfo("localhost", 80))
    attempt("poll", lambda: importlib.import_module("select").select([3], [], []))
    for name in ("ssl", "socketserver", "smtplib", "ftplib", "xmlrpc.client", "multiprocessing.connection"):
        attempt(name, lambda: importlib.import_module(name))

# case: the HTTP clients of the standard library on a connection of their own
# steps: {"connection": "(AttributeError|ModuleNotFoundError|OSError|NameError|TypeError)", "request": "(AttributeError|ModuleNotFoundError|OSError|NameError|TypeError)", "handler": "(AttributeError|ModuleNotFoundError|OSError|NameError|TypeError)"}
def attack(target):
    import http.client
    connection = http.client.HTTPConnection("127.0.0.1", target["port"])
    attempt("connection", connection.connect)
    attempt("request", lambda: connection.request("GET", "/"))

    def handler():
        import urllib.request
        base = urllib.request.AbstractHTTPHandler()
        return base.do_open(http.client.HTTPConnection, urllib.request.Request(f"http://127.0.0.1:{target['port']}/"))

    attempt("handler", handler)

# case: sockets of asyncio
# steps: {"connect": "(AttributeError|NotImplementedError|ModuleNotFoundError|OSError)", "serve": "(AttributeError|NotImplementedError|ModuleNotFoundError|OSError)", "datagram": "(AttributeError|NotImplementedError|ModuleNotFoundError|OSError)", "resolve": "(AttributeError|NotImplementedError|ModuleNotFoundError|OSError)"}
def attack(target):
    import asyncio

    async def loop_of(method, *positional):
        return await getattr(asyncio.get_running_loop(), method)(*positional)

    attempt("connect", lambda: asyncio.run(asyncio.open_connection("127.0.0.1", target["port"])))
    attempt("serve", lambda: asyncio.run(asyncio.start_server(print, "127.0.0.1", 0)))
    attempt("datagram", lambda: asyncio.run(loop_of("create_datagram_endpoint", asyncio.DatagramProtocol, ("127.0.0.1", 0))))
    attempt("resolve", lambda: asyncio.run(loop_of("getaddrinfo", "localhost", 80)))

# case: a socket module brought along as source
# steps: {"module": "(ModuleNotFoundError|ImportError)", "posix": "got \\[\\]"}
def attack(target):
    import posix, sys, types

    def module():
        made = types.ModuleType("socket")
        exec("import _socket\ns = _socket.socket()", made.__dict__)
        return made

    attempt("module", module)
    attempt("posix", lambda: [name for name in dir(posix) if "sock" in name or "sendfile" in name and hasattr(posix, "socket")])
