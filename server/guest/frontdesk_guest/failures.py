"""Exceptions as data: type, message and the frames that lie in the user's own file."""

import collections

# Of a deep recursion the beginning and the end tell the story: this many frames of each.
_OUTER_FRAMES = _INNER_FRAMES = 20


def describe(error, filename):
    """What the outcome tells about an exception that left the user's code."""
    return {
        "kind": "out-of-memory" if isinstance(error, MemoryError) else "raised",
        "type": type(error).__name__,
        "message": _message(error),
        "frames": user_frames(error, filename),
    }


def user_frames(error, filename):
    """`{line, column, function}` of the user's frames, outermost first; for a SyntaxError the place it names."""
    outer, inner = [], collections.deque(maxlen=_INNER_FRAMES)
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == filename:
            (outer if len(outer) < _OUTER_FRAMES else inner).append(step)
        step = step.tb_next
    frames = [_frame(one) for one in (*outer, *inner)]
    if isinstance(error, SyntaxError) and error.filename == filename:
        frames.append({"line": error.lineno or 1, "column": error.offset or 1, "function": "<module>"})
    return frames


def _message(error):
    if isinstance(error, SyntaxError):
        return error.msg
    try:
        return str(error)
    except Exception:
        return ""


def _frame(step):
    code = step.tb_frame.f_code
    return {"line": step.tb_lineno, "column": _column(code, step.tb_lasti), "function": code.co_name}


def _column(code, instruction):
    for index, position in enumerate(code.co_positions()):
        if index == instruction // 2:
            return (position[2] or 0) + 1
    return 1
