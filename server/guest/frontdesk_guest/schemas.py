"""JSON Schema of a Python annotation: what a model is told about a parameter."""

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import types
import typing
import uuid

from frontdesk_guest.models import Model

_SIMPLE = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    list: {"type": "array"},
    tuple: {"type": "array"},
    set: {"type": "array", "uniqueItems": True},
    frozenset: {"type": "array", "uniqueItems": True},
    dict: {"type": "object"},
    bytes: {"type": "string"},
    type(None): {"type": "null"},
    None: {"type": "null"},
    decimal.Decimal: {"type": "number"},
    uuid.UUID: {"type": "string", "format": "uuid"},
    datetime.datetime: {"type": "string", "format": "date-time"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.time: {"type": "string", "format": "time"},
}
_ARRAYS = (list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.MutableSequence)
_SETS = (set, frozenset, collections.abc.Set)
_OBJECTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_JSON_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}


def schema_of(annotation, within=()):
    """The schema; `{}` where the annotation says nothing. `within` are the classes being described, against recursion."""
    try:
        if annotation in _SIMPLE:
            return dict(_SIMPLE[annotation])
    except TypeError:
        return {}
    origin = typing.get_origin(annotation)
    if origin is not None:
        return _generic(origin, typing.get_args(annotation), within)
    if not isinstance(annotation, type):
        return {}
    if annotation in within:
        return {"type": "object"}
    return _class(annotation, (*within, annotation))


def _generic(origin, arguments, within):
    if origin is typing.Annotated:
        return _annotated(arguments, within)
    if origin in (typing.Required, typing.NotRequired, typing.Final):
        return schema_of(arguments[0], within)
    if origin is typing.Literal:
        return _choice(list(arguments))
    if origin in (typing.Union, types.UnionType):
        return _union(arguments, within)
    if origin is tuple:
        return _tuple(arguments, within)
    if origin in _ARRAYS:
        return _array(arguments, within)
    if origin in _SETS:
        return {**_array(arguments, within), "uniqueItems": True}
    if origin in _OBJECTS:
        values = schema_of(arguments[1], within) if len(arguments) == 2 else {}
        return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
    return {}


def _annotated(arguments, within):
    schema = schema_of(arguments[0], within)
    notes = [note for note in arguments[1:] if isinstance(note, str)]
    return {**schema, "description": notes[0]} if notes else schema


def _union(members, within):
    schemas = [schema_of(member, within) for member in members if member is not type(None)]
    schema = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
    return {**schema, "nullable": True} if type(None) in members else schema


def _choice(values):
    kinds = {_JSON_TYPES.get(type(value)) for value in values}
    kind = kinds.pop() if len(kinds) == 1 else None
    return {"type": kind, "enum": values} if kind else {"enum": values}


def _array(arguments, within):
    items = schema_of(arguments[0], within) if arguments else {}
    return {"type": "array", "items": items} if items else {"type": "array"}


def _tuple(arguments, within):
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return _array(arguments[:1], within)
    items = [schema_of(argument, within) for argument in arguments]
    same = items and all(item == items[0] for item in items)
    bounds = {"minItems": len(items), "maxItems": len(items)}
    return {"type": "array", "items": items[0] if same else {"anyOf": items}, **bounds} if items else {"type": "array"}


def _class(cls, within):
    if issubclass(cls, enum.Enum):
        return _choice([member.value for member in cls])
    if typing.is_typeddict(cls):
        return _properties(_hints(cls), cls.__required_keys__, within)
    if dataclasses.is_dataclass(cls):
        hints = _hints(cls)
        required = {
            field.name
            for field in dataclasses.fields(cls)
            if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        }
        return _properties({field.name: hints[field.name] for field in dataclasses.fields(cls)}, required, within)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return {"type": "array"}
    if issubclass(cls, Model):
        return {"type": "object"}
    for base in (str, bool, int, float, dict, list):
        if issubclass(cls, base):
            return dict(_SIMPLE[base])
    return {}


def _properties(hints, required, within):
    schema = {"type": "object", "properties": {name: schema_of(hint, within) for name, hint in hints.items()}}
    needed = [name for name in hints if name in required]
    return {**schema, "required": needed} if needed else schema


def _hints(cls):
    return typing.get_type_hints(cls, include_extras=True)
