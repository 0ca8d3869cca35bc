"""Docstrings in the Google, NumPy and reST styles: a summary and one description for each parameter."""

import inspect
import re

_ARGUMENT_HEADINGS = {
    "args", "arguments", "parameters", "params", "keyword args", "keyword arguments", "other parameters",
    "attributes", "attrs", "fields",
}  # fmt: skip
_OTHER_HEADINGS = {
    "returns", "return", "yields", "yield", "raises", "raise", "example", "examples", "note", "notes", "warning",
    "warnings", "see also", "references", "todo",
}  # fmt: skip

_REST_PARAMETER = re.compile(r"^:(?:param|parameter|arg|argument|key|keyword|var|ivar|attribute)\s+(?:[^:]*\s)?(\*{0,2}\w+)\s*:\s*(.*)$")
_REST_OTHER = re.compile(r"^:(?:type|return|returns|rtype|raise|raises|yield|yields|vartype|cvar)\b[^:]*:")
# Models write items as in Markdown, too (PY-63): a bullet, the name in backticks or bold.
_GOOGLE_ITEM = re.compile(r"^(?:[-*+•]\s+)?[`*]*(\w+)[`*]*\s*(?:\((?:[^()]|\([^()]*\))*\))?[`*]*\s*:[`*]*\s*(.*)$")
_NUMPY_ITEM = re.compile(r"^(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?$")


def parse(docstring):
    """Returns (summary, {parameter: description}). The summary is all text before the first section."""
    lines = inspect.cleandoc(docstring or "").splitlines()
    summary, descriptions = [], {}
    index, in_summary = 0, True
    while index < len(lines):
        heading, style = _heading(lines, index)
        if heading in _ARGUMENT_HEADINGS:
            index = _read_section(lines, index + (2 if style == "numpy" else 1), style, descriptions)
            in_summary = False
        elif _REST_PARAMETER.match(lines[index].strip()):
            index = _read_rest(lines, index, descriptions)
            in_summary = False
        elif heading or _REST_OTHER.match(lines[index].strip()):
            index, in_summary = index + 1, False
        else:
            if in_summary:
                summary.append(lines[index])
            index += 1
    return "\n".join(summary).strip(), descriptions


def _heading(lines, index):
    text = lines[index].strip()
    name = text.rstrip(":").strip().lower()
    if name not in _ARGUMENT_HEADINGS and name not in _OTHER_HEADINGS:
        return None, None
    below = lines[index + 1].strip() if index + 1 < len(lines) else ""
    if below and set(below) <= {"-", "="} and len(below) >= 3:
        return name, "numpy"
    return (name, "google") if text.endswith(":") and not lines[index].startswith(" ") else (None, None)


def _read_section(lines, index, style, descriptions):
    """Reads the items of an argument section; stops at the next heading or at text outside the section."""
    base, names = None, []
    while index < len(lines):
        line = lines[index]
        if not line.strip():
            index += 1
            continue
        indent = len(line) - len(line.lstrip())
        if _heading(lines, index)[0] or style == "google" and indent == 0:
            break
        base = indent if base is None else base
        if indent <= base:
            names = _begin_item(line.strip(), style, descriptions)
        else:
            _extend(descriptions, names, line.strip())
        index += 1
    return index


def _begin_item(text, style, descriptions):
    match = (_NUMPY_ITEM if style == "numpy" else _GOOGLE_ITEM).match(text)
    if not match:
        return []
    names = [name.strip().lstrip("*") for name in match.group(1).split(",")]
    for name in names:
        descriptions[name] = match.group(2).strip() if style == "google" else ""
    return names


def _read_rest(lines, index, descriptions):
    match = _REST_PARAMETER.match(lines[index].strip())
    name = match.group(1).lstrip("*")
    descriptions[name] = match.group(2).strip()
    index += 1
    while index < len(lines) and lines[index].startswith(" ") and lines[index].strip():
        _extend(descriptions, [name], lines[index].strip())
        index += 1
    return index


def _extend(descriptions, names, text):
    for name in names:
        descriptions[name] = f"{descriptions[name]} {text}".strip()
