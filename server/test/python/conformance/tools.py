#: a tool takes one dict | PY-23
def f():
    response = tools.look_up({"id": 5})
    try:
        response.raise_for_status()
    except StatusError:
        print(f"Request failed with status {response.status_code}")
    return response.json()
#= {"result": {"tool": "look_up", "args": {"id": 5}}}

#: or keywords | PY-23
def f():
    return tools.look_up(id=5)["result"]["args"]
#= {"id": 5}

#: or nothing | PY-23
def f():
    return tools.look_up()["result"]["args"]
#= {}

#: an answer is an ExternalResponse | PY-17
def f():
    r = tools.look_up({})
    return [type(r).__name__, r.status_code, r.ok, r.reason, r.text, isinstance(r.headers, dict)]
#= ["ExternalResponse", 200, true, "", "{\"result\":{\"tool\":\"look_up\",\"args\":{}}}", true]

#: a failed answer | PY-17
def f():
    r = tools.fail({})
    try:
        r.raise_for_status()
    except StatusError as error:
        return [r.ok, r.status_code, r.reason, error.status_code, error.reason]
#= [false, 500, "it broke", 500, "it broke"]

#: an answer reads as a mapping, with and without its wrapper | PY-23
def f():
    r = tools.look_up(a=1)
    return [r["result"]["tool"], r["tool"], r.get("tool"), r.get("none"), r.get("none", 3), "tool" in r, "none" in r,
            list(r), len(r), dict(r)["result"]["args"], {**r}["result"]["args"], list(r.keys()), [k for k, v in r.items()]]
#= ["look_up", "look_up", "look_up", null, 3, true, false, ["result"], 1, {"a": 1}, {"a": 1}, ["result"], ["result"]]

#: an answer equals the dict it carries | PY-23
def f():
    r = tools.look_up(a=1)
    return [r == {"result": {"tool": "look_up", "args": {"a": 1}}}, r == {"x": 1}, isinstance(r, collections_mapping())]
def collections_mapping():
    from collections.abc import Mapping
    return Mapping
#= [true, false, true]

#: an answer can be returned as it is | PY-28
def f():
    return tools.look_up(a=1)
#= {"result": {"tool": "look_up", "args": {"a": 1}}}

#: json raises when the text is none | PY-17
def f():
    return ExternalResponse(text="no json").json()
#! JSONDecodeError: Expecting value: line 1 column 1 (char 0)

#: ok is below 400 | PY-17
def f():
    return [ExternalResponse(status_code=status).ok for status in (200, 302, 399, 400, 503)]
#= [true, true, true, false, false]

#: a missing key is a KeyError | PY-23
def f():
    return tools.look_up()["nope"]
#! KeyError: 'nope'

#: an unknown tool is an exception that can be caught and names the tools | PY-25
def f():
    try:
        tools.nope({})
    except AttributeError as error:
        return [str(error), hasattr(tools, "nope"), hasattr(tools, "look_up"), getattr(tools, "nope", None)]
#= ["there is no tool named 'nope'; the tools of this app are: fail, look_up, product-detail, slow", false, true, null]

#: a display name with a hyphen is spelled with an underscore or subscripted | PY-23
def f():
    return [tools.product_detail({})["tool"], tools["product-detail"]({})["tool"], getattr(tools, "product-detail")({})["tool"]]
#= ["product-detail", "product-detail", "product-detail"]

#: a list is not a dict of arguments | PY-23
def f():
    tools.look_up([1])
#! TypeError: tools.look_up() takes one dict of arguments, or keyword arguments

#: an argument without a JSON form is a TypeError | PY-23
def f():
    tools.look_up(x=object())
#! TypeError: a value of type object has no JSON form, at ['args']['x']

#: an asynchronous tool is a future that is called | PY-26
def f():
    response_future = async_tools.look_up({"id": 1})
    response = response_future()
    response.raise_for_status()
    return [response.json()["result"]["args"], response_future() is response, async_tools.look_up(id=2)()["args"]]
#= [{"id": 1}, true, {"id": 2}]

#: asynchronous tools overlap | PY-26
def f():
    futures = [async_tools.slow({"n": n}) for n in range(3)]
    return [future()["running"] for future in futures]
#= [3, 3, 3]

#: an unknown asynchronous tool | PY-25
def f():
    async_tools.nope({})
#! AttributeError: there is no tool named 'nope'; the tools of this app are: fail, look_up, product-detail, slow

#: futures can be awaited | PY-26
async def f():
    import asyncio
    return [r["args"]["n"] for r in await asyncio.gather(wait(async_tools.slow(n=1)), wait(async_tools.slow(n=2)))]
async def wait(future):
    return await future
#= [1, 2]

#: the globals are instances of their classes | PY-6, PY-8
def f():
    return [isinstance(tools, Tools), isinstance(async_tools, AsyncTools), isinstance(ces_requests, Requests), sorted(dir(tools))]
#= [true, true, true, ["fail", "look_up", "product_detail", "slow"]]
