"""What a run changed: variables of the session, and arguments edited in place."""

from sealed_guest.failures import type_name
from sealed_guest.json_values import decode, encode
from frontdesk_guest.models import Model

NO_CHANGE = {"set": {}, "removed": []}


def variable_changes(context, before_text):
    """Whole new values of changed variables, names of removed ones, and what could not be turned into JSON (PY-21)."""
    if "variables" not in context.__dict__:
        return NO_CHANGE, []
    before = decode(before_text)
    now = context.variables
    if not isinstance(now, dict):
        return NO_CHANGE, [f"context.variables is no dict any more but {type_name(type(now))}"]
    changed, problems = {}, []
    for name, value in now.items():
        if not isinstance(name, str):
            problems.append(f"variable {name!r}: a name is a str, not {type_name(type(name))}")
            continue
        try:
            text = encode(value)
        except (TypeError, ValueError, RecursionError) as error:
            problems.append(f"variable {name!r}: {error}")
            continue
        if name not in before or encode(before[name]) != text:
            changed[name] = value
    return {"set": changed, "removed": [name for name in before if name not in now]}, problems


class Watched:
    """A positional argument, with what is needed to detect later whether it was edited."""

    __slots__ = ("value", "_before")

    def __init__(self, value, before_text=None):
        self.value = value
        if isinstance(value, Model):
            self._before = before_text  # compared only when somebody looked inside
        else:
            self._before = encode(value) if isinstance(value, (dict, list)) else None

    def is_edited(self):
        if self._before is None or isinstance(self.value, Model) and not self.value.__dict__:
            return False
        if isinstance(self.value, Model):
            return encode(self.value) != encode(decode(self._before))
        return encode(self.value) != self._before
