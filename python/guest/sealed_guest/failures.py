"""Exceptions as data: type, message, the frames that lie in the user's own file, and what led to it."""

import collections
import inspect

# Of a deep recursion the beginning and the end tell the story: this many frames of each.
_OUTER_FRAMES = _INNER_FRAMES = 20

_MESSAGE_LIMIT = 10_000
_NAME_LIMIT = 200
_CAUSE_LIMIT = 10


def describe(error, filename, function=None):
    """
    What the outcome tells about an exception that left the user's code. One that no line of the file raised (a result
    without a JSON form, an argument that does not fit) stands where the function, or the file, begins.
    """
    return {
        "kind": "out-of-memory" if isinstance(error, MemoryError) else "raised",
        "type": type_name(type(error)),
        "message": _message(error),
        "frames": user_frames(error, filename) or [_beginning(function, filename)],
    }


def user_frames(error, filename):
    """`{line, column, function}` of the user's frames, outermost first (PY-32); for a SyntaxError the place it names."""
    outer, inner = [], collections.deque(maxlen=_INNER_FRAMES)
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == filename:
            (outer if len(outer) < _OUTER_FRAMES else inner).append(step)
        step = step.tb_next
    frames = [_frame(one) for one in (*outer, *inner)]
    if isinstance(error, SyntaxError) and error.filename == filename:
        frames.append({"line": _position(error.lineno), "column": _position(error.offset), "function": "<module>"})
    return frames


def _beginning(function, filename):
    code = getattr(inspect.unwrap(function) if callable(function) else None, "__code__", None)
    if code is None or code.co_filename != filename:
        return {"line": 1, "column": 1, "function": "<module>"}
    return {"line": code.co_firstlineno, "column": 1, "function": shortened(code.co_name, _NAME_LIMIT)}


def causes(error, filename):
    """What led to the exception, nearest first: its cause or context, and the members of a group. One line each."""
    found, waiting, seen = [], [error], {id(error)}
    while waiting and len(found) < _CAUSE_LIMIT:
        for one in _origins(waiting.pop(0)):
            if id(one) not in seen:
                seen.add(id(one))
                waiting.append(one)
                found.append(_sentence(one, filename))
    return found[:_CAUSE_LIMIT]


def type_name(cls):
    """The name that the class was made with; a metaclass may answer anything to `__name__`."""
    return shortened(type.__dict__["__name__"].__get__(cls), _NAME_LIMIT)


def shortened(text, limit):
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def _message(error):
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
        notes = [note for note in getattr(error, "__notes__", ()) if isinstance(note, str)]
        return shortened("\n".join([text, *notes]), _MESSAGE_LIMIT)
    except BaseException:  # also what the user's own `__str__` raises to escape
        return ""


def _origins(error):
    members = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    behind = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return [one for one in (*members, behind) if isinstance(one, BaseException)]


def _sentence(error, filename):
    frames = user_frames(error, filename)
    place = f" (line {frames[-1]['line']})" if frames else ""
    return f"{type_name(type(error))}: {shortened(_message(error), 500)}{place}"


def _position(number):
    return number if isinstance(number, int) and number > 0 else 1


def _frame(step):
    code = step.tb_frame.f_code
    return {"line": step.tb_lineno, "column": _column(code, step.tb_lasti), "function": shortened(code.co_name, _NAME_LIMIT)}


def _column(code, instruction):
    for index, position in enumerate(code.co_positions()):
        if index == instruction // 2:
            return (position[2] or 0) + 1
    return 1
