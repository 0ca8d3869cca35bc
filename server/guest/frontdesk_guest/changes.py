"""What a run changed: variables of the session, and arguments edited in place."""

from sealed_guest.failures import type_name
from sealed_guest.json_values import decode, encode
from frontdesk_guest.models import Model

NO_CHANGE = {"set": {}, "removed": []}

# Bytes of JSON: of all variables of a session, and of arguments that one call edited (PY-46).
VARIABLES_LIMIT = 3 << 20
EDITS_LIMIT = 2 << 20


def require_within(limit, text, beginning):
    """Raises ValueError for a longer text."""
    if len(text) > limit:
        raise ValueError(f"{beginning} {len(text)} bytes as JSON; the limit is {limit}")


def variable_changes(context, before_text):
    """Whole new values of changed variables, names of removed ones, and what could not be turned into JSON (PY-21)."""
    if "variables" not in context.__dict__:
        return NO_CHANGE, []
    before = decode(before_text)
    now = context.variables
    if not isinstance(now, dict):
        return NO_CHANGE, [f"context.variables is no dict any more but {type_name(type(now))}"]
    changed, problems, total = {}, [], 0
    for name, value in now.items():
        if not isinstance(name, str):
            problems.append(f"variable {name!r}: a name is a str, not {type_name(type(name))}")
            continue
        try:
            text = encode(value)
        except (TypeError, ValueError, RecursionError) as error:
            problems.append(f"variable {name!r}: {error}")
            continue
        # A subclass of str may say anything of its length.
        total += str.__len__(name) + len(text) + 4
        if name not in before or encode(before[name]) != text:
            changed[name] = value
    if changed and total > max(VARIABLES_LIMIT, len(before_text)):
        largest = max(changed, key=lambda name: len(encode(changed[name])))
        raise ValueError(
            f"the variables have {total} bytes as JSON; the limit is {VARIABLES_LIMIT} (the largest that changed is {largest!r})"
        )
    return {"set": changed, "removed": [name for name in before if name not in now]}, problems


def edits(watched):
    """
    `[index, JSON-like value]` of the positional arguments that code edited in place, of all `(index, value, before)`. `before` is the
    value's JSON as it came: bytes of a model's, which is compared only when somebody looked inside.
    """
    edited = [[index, _for_host(value)] for index, value, before in watched if _is_edited(value, before)]
    if edited:
        require_within(EDITS_LIMIT, encode(edited), "the edited arguments have")
    return edited


def _is_edited(value, before):
    if type(before) is bytes:
        return bool(value.__dict__) and encode(value._for_host()) != encode(decode(before))
    return encode(value) != before


def _for_host(value):
    return value._for_host() if isinstance(value, Model) else value
