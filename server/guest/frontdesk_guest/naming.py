"""The two spellings of a field name."""


def camel_case(name):
    """`function_call` becomes `functionCall`."""
    head, *tail = name.split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in tail)
