"""From Python values to JSON: what a function may return, store in a variable or send to a tool."""

import base64
import dataclasses
import datetime
import decimal
import enum
import json
import uuid
from collections.abc import Iterable, Mapping


def to_json(value):
    """The JSON-like form of a value that the encoder does not know. Raises TypeError for what has none."""
    as_json = getattr(value, "_to_json", None)
    if as_json is not None and not isinstance(value, type):
        return as_json()
    if isinstance(value, enum.Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _text_of_bytes(bytes(value))
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable) and not isinstance(value, type):
        return list(value)
    for form_of in _more_forms:
        form = form_of(value)
        if form is not None:
            return form
    raise TypeError(f"a value of type {type(value).__name__} has no JSON form")


_more_forms = []


def add_form(form_of):
    """Gives values that have no JSON form one: `form_of(value)`, or None."""
    _more_forms.append(form_of)


def _text_of_bytes(data):
    try:
        return data.decode()
    except UnicodeDecodeError:
        return base64.b64encode(data).decode()


def encode(value):
    """The value as JSON text, without blanks. What `json.dumps` does, less what it does anew for each call."""
    if isinstance(value, str):
        return _encode_text(value)
    if value is None:
        return "null"
    if type(value) is int:
        return repr(value)
    try:
        return _encode_any(value)
    except (TypeError, ValueError) as error:
        # In a large value nobody finds what is meant by a type alone.
        place = _place_of_failure(value)
        if place and type(error) in (TypeError, ValueError):
            error.args = (f"{error}, at {place}",)
        raise


def _encode_any(value):
    return "".join(_make_encoder({}, to_json, _encode_text, None, ":", ",", False, False, False)(value, 0))


_DEEPEST_PLACE = 20
_KEY_LIMIT = 100


def _place_of_failure(value):
    """Where in a value that cannot be encoded the part is that cannot, as Python would index it: `['items'][2]`; "" for the value itself."""
    place, seen = "", set()
    while len(seen) < _DEEPEST_PLACE and id(value) not in seen:
        seen.add(id(value))
        found = next((one for one in _members(value) if not _is_encoded(one[1])), None)
        if found is None:
            break
        key, value = found
        text = repr(key)
        place += f"[{text if len(text) <= _KEY_LIMIT else text[:_KEY_LIMIT] + '…'}]"
    return place


def _members(value):
    """Keys and values of a container, in the form in which it is encoded."""
    if not isinstance(value, (dict, list, tuple, str, int, float, type(None))):
        try:
            value = to_json(value)
        except Exception:  # whatever the user's own code raises: there is no more to be seen
            return ()
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, (list, tuple)) else ()


def _is_encoded(value):
    try:
        _encode_any(value)
        return True
    except Exception:  # as above
        return False


def decode(text):
    """The value of the host's own JSON text (bytes), which has no blanks around it."""
    return decode_text(text.decode())


def decode_text(text):
    """The same for a str."""
    return _scan(text, 0)[0]


_encode_text = json.encoder.encode_basestring_ascii
_make_encoder = json.encoder.c_make_encoder
_scan = json.JSONDecoder().scan_once


def is_json(value):
    """Whether the value has a JSON form."""
    try:
        encode(value)
        return True
    except (TypeError, ValueError, RecursionError):
        return False
