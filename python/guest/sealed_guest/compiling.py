"""From the bytes of a file to its code object or syntax tree."""

import ast


def compile_source(source, filename):
    """The module's code. Raises SyntaxError with the place."""
    return compile(text_of(source, filename), filename, "exec", dont_inherit=True, optimize=0)


def parse_source(source, filename):
    """The module's syntax tree. Raises SyntaxError with the place."""
    return ast.parse(text_of(source, filename), filename)


def text_of(source, filename):
    """
    The text, which is UTF-8 whatever a coding line says: the file came as text. CPython tells no place for a null
    character, so it is looked for here.
    """
    text = source.decode(errors="replace").removeprefix("\ufeff")
    at = text.find("\0")
    if at < 0:
        return text
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    raise SyntaxError("source code cannot contain null characters", (filename, line, column, None))
