"""
Runs tools on the CPython of this machine, with as much of the platform as they use: standard input is a JSON list of
{code, function, args, variables}, standard output the list of {result, variables}.
"""

import asyncio
import json
import linecache
import sys
import types
import typing


def run(call):
    state = call["variables"]
    module = types.ModuleType("agent_code")
    sys.modules["agent_code"] = module
    module.__dict__.update({name: getattr(typing, name) for name in ("Any", "Optional", "Union")})
    module.__dict__.update(
        context=types.SimpleNamespace(state=state, variables=state),
        get_variable=state.get,
        set_variable=state.__setitem__,
        remove_variable=state.__delitem__,
    )
    lines = call["code"].splitlines(keepends=True)
    linecache.cache["python_code.py"] = (len(call["code"]), None, lines, "python_code.py")
    exec(compile(call["code"], "python_code.py", "exec", dont_inherit=True), module.__dict__)
    result = module.__dict__[call["function"]](**call["args"])
    if asyncio.iscoroutine(result):
        result = asyncio.run(result)
    return json.loads(json.dumps({"result": result, "variables": state}))


json.dump([run(call) for call in json.load(sys.stdin)], sys.stdout)
