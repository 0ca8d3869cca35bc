"""JSON Schema of a Python annotation: what a model is told about a parameter."""

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import types
import typing
import uuid

from sealed_guest import docstrings
from sealed_guest.json_values import is_json

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
_ABC = collections.abc
_ARRAYS = (list, _ABC.Sequence, _ABC.Iterable, _ABC.Collection, _ABC.MutableSequence, collections.deque)
_SETS = (set, frozenset, _ABC.Set, _ABC.MutableSet)
_OBJECTS = (
    dict, _ABC.Mapping, _ABC.MutableMapping, collections.OrderedDict, collections.defaultdict, collections.ChainMap,
)  # fmt: skip
_JSON_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}


def schema_of(annotation, within=()):
    """The schema; `{}` where the annotation says nothing. `within` is what is being described, against recursion."""
    simple = _SIMPLE.get(annotation) if isinstance(annotation, type | None) else None
    if simple is not None:
        return dict(simple)
    if isinstance(annotation, (typing.NewType, typing.TypeAliasType)):
        if annotation in within:
            return {}
        return schema_of(getattr(annotation, "__supertype__", None) or annotation.__value__, (*within, annotation))
    if isinstance(annotation, typing.TypeVar):
        bound = annotation.__bound__ or (typing.Union[annotation.__constraints__] if annotation.__constraints__ else None)
        return schema_of(bound, within) if bound else {}
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
        return _literal(arguments)
    if origin in (typing.Union, types.UnionType):
        return _union(arguments, within)
    if origin is tuple:
        return _tuple(arguments, within)
    if origin in _ARRAYS:
        return _array(arguments, within)
    if origin in _SETS:
        return {**_array(arguments, within), "uniqueItems": True}
    if origin is collections.Counter:
        return {"type": "object", "additionalProperties": {"type": "integer"}}
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


def _literal(values):
    schema = _choice([value.value if isinstance(value, enum.Enum) else value for value in values if value is not None])
    return {**schema, "nullable": True} if None in values else schema


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
        return _object(cls, _hints(cls), cls.__required_keys__, {}, within)
    if dataclasses.is_dataclass(cls):
        fields = {field.name: field for field in dataclasses.fields(cls) if field.init}
        defaults = {name: field.default for name, field in fields.items() if field.default is not dataclasses.MISSING}
        made = {name for name, field in fields.items() if field.default_factory is not dataclasses.MISSING}
        hints = {name: hint for name, hint in _hints(cls).items() if name in fields}
        return _object(cls, hints, hints.keys() - defaults.keys() - made, defaults, within)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        hints = {name: _hints(cls).get(name, typing.Any) for name in cls._fields}
        return _object(cls, hints, hints.keys() - cls._field_defaults.keys(), cls._field_defaults, within)
    if hasattr(cls, "_from_json"):  # a class of the program that is made of JSON
        return {"type": "object"}
    for base in (str, bool, int, float, dict, list, tuple, set, frozenset):
        if issubclass(cls, base):
            return dict(_SIMPLE[base])
    if issubclass(cls, collections.deque):
        return {"type": "array"}
    return {}


def _object(cls, hints, required, defaults, within):
    """The schema of a class with fields; what its docstring says of them is told."""
    summary, descriptions = docstrings.parse(_own_docstring(cls))
    properties = {}
    for name, hint in hints.items():
        properties[name] = schema_of(hint, within)
        if name in descriptions:
            properties[name]["description"] = descriptions[name]
        default = defaults.get(name)
        if default is not None and is_json(default):
            properties[name]["default"] = default
    schema = {"type": "object", "properties": properties}
    needed = [name for name in hints if name in required]
    return {**schema, **({"required": needed} if needed else {}), **({"description": summary} if summary else {})}


def _own_docstring(cls):
    """What the author wrote; dataclasses and named tuples without a docstring are given their signature as one."""
    text = cls.__dict__.get("__doc__") or ""
    return "" if text.startswith(f"{cls.__name__}(") else text


def _hints(cls):
    """The annotations of a class; one that cannot be resolved says nothing."""
    try:
        return typing.get_type_hints(cls, include_extras=True)
    except Exception:
        return {name: typing.Any for name in getattr(cls, "__annotations__", {})}
