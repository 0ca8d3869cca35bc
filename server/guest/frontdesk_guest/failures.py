"""Exceptions as data: type, message and the frames that lie in the user's own file."""

FRAME_LIMIT = 40


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
    frames = []
    step = error.__traceback__
    while step is not None and len(frames) < FRAME_LIMIT:
        code = step.tb_frame.f_code
        if code.co_filename == filename:
            frames.append({"line": step.tb_lineno, "column": _column(code, step.tb_lasti), "function": code.co_name})
        step = step.tb_next
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


def _column(code, instruction):
    for index, position in enumerate(code.co_positions()):
        if index == instruction // 2:
            return (position[2] or 0) + 1
    return 1
