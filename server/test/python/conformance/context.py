#: the context tells who and where | PY-18
def f():
    c = context
    return [c.invocation_id, c.agent_name, c.session_id, c.user_content.parts[0].text, c.language_code, c.project_id, c.location, c.app_id, c.turn_index]
#= ["invocation-1", "Front desk", "session-1", "and now?", "de-DE", "p", "eu", "app", 2]

#: members that this conversation has not set are None | PY-18
def f():
    return [context.streaming_stage, context.project_number, context.actions.state_delta]
#= [null, null, {}]

#: state and variables are one dict | PY-19
def f():
    context.state["x"] = 1
    return [context.state is context.variables, isinstance(context.state, dict), context.variables["x"]]
#= [true, true, 1]
#~ {"set": {"x": 1}, "removed": []}

#: events are Event objects in order | PY-18
def f():
    return [[e.author, e.is_user(), e.parts()[0].text, type(e).__name__] for e in context.events]
#= [["user", true, "hello", "Event"], ["Front desk", false, "good day", "Event"], ["user", true, "one", "Event"], ["user", true, "and now?", "Event"]]

#: get_last_user_input takes the newest run of user events | PY-20
def f():
    return [part.text for part in context.get_last_user_input()]
#= ["one", "and now?"]

#: get_last_agent_output begins with the newest event, whoever speaks there | PY-20
def f():
    return [part.text for part in context.get_last_agent_output()]
#= ["and now?"]

#: get_last_user_input sweeps a newest agent event in | PY-20
def f():
    context.events.append(Event(author="Front desk", content=Content(parts=[Part.from_text("bye")])))
    return [[part.text for part in context.get_last_user_input()], [part.text for part in context.get_last_agent_output()]]
#= [["one", "and now?", "bye"], ["bye"]]

#: parts is every part of every event | PY-18
def f():
    return [part.text for part in context.parts()]
#= ["hello", "good day", "one", "and now?"]

#: get_variable, set_variable, remove_variable of the context | PY-19
def f():
    context.set_variable("new", [1])
    context.remove_variable("old")
    return [context.get_variable("count"), context.get_variable("gone"), context.get_variable("gone", "d"), context.get_variable(key="count", default=0)]
#= [1, null, "d", 1]
#~ {"set": {"new": [1]}, "removed": ["old"]}

#: the functions are shortcuts for the context's | PY-8, PY-19
def f():
    set_variable("new", {"a": 1})
    set_variable(key="count", value=2)
    remove_variable("old")
    return [get_variable("count"), get_variable("gone"), get_variable("gone", 5), context.state["new"]]
#= [2, null, 5, {"a": 1}]
#~ {"set": {"count": 2, "new": {"a": 1}}, "removed": ["old"]}

#: remove_variable of a missing key is a KeyError | PY-19
def f():
    remove_variable("gone")
#! KeyError: 'gone'

#: members that never existed | PY-18
def f():
    return [hasattr(context, name) for name in ("session", "messages", "inject_prompt", "user_input_text")]
#= [false, false, false, false]

#: edits inside nested values are found | PY-21
def f():
    context.state["cart"]["items"].append({"sku": "tea"})
    context.state["cart"]["total"] = 2.5
#= null
#~ {"set": {"cart": {"items": [{"sku": "tea"}], "total": 2.5}}, "removed": []}

#: reading is no change | PY-21
def f():
    context.state["cart"]["items"]
    context.state["count"] = 1
    return len(context.events)
#= 4
#~ {"set": {}, "removed": []}

#: a changed type is a change | PY-21
def f():
    set_variable("count", "1")
#= null
#~ {"set": {"count": "1"}, "removed": []}

#: a key that is taken away and put back is no change | PY-21
def f():
    context.state["count"] = context.state.pop("count")
#= null
#~ {"set": {}, "removed": []}

#: clearing removes every variable | PY-19
def f():
    context.variables.clear()
#= null
#~ {"set": {}, "removed": ["cart", "count", "old"]}

#: another dict takes the place of the state | PY-19
def f():
    context.state = {"only": 1}
    return get_variable("only")
#= 1
#~ {"set": {"only": 1}, "removed": ["cart", "count", "old"]}

#: state is a dict and nothing else | PY-19
def f():
    context.variables = 5
#! TypeError: context.variables must be a dict, not int

#: dates, decimals, sets and models in state become JSON | PY-21
def f():
    import datetime, decimal
    context.state["day"] = datetime.date(2026, 2, 3)
    context.state["price"] = decimal.Decimal("1.50")
    context.state["part"] = Part.from_text("x")
    context.state["set"] = {1}
#= null
#~ {"set": {"day": "2026-02-03", "part": {"text": "x"}, "price": 1.5, "set": [1]}, "removed": []}

#: a value without a JSON form is named | PY-21
def f():
    context.state["f"] = print
#! TypeError: variable 'f': a value of type builtin_function_or_method has no JSON form

#: a value that holds itself is named | PY-21
def f():
    loop = []
    loop.append(loop)
    context.state["loop"] = loop
#! TypeError: variable 'loop': Circular reference detected, at [0]

#: a name that is no text is refused | PY-21
def f():
    context.state[5] = 1
#! TypeError: variable 5: a name is a str, not int

#: what was written before an exception is kept | PY-33
def f():
    set_variable("count", 7)
    raise RuntimeError("later")
#! RuntimeError: later
#~ {"set": {"count": 7}, "removed": []}
