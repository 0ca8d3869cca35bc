"""From JSON to the type that an annotation asks for, where the value fits it exactly."""

import collections.abc
import dataclasses
import enum
import types
import typing


class Mismatch(ValueError):
    """The value does not fit the annotation."""


def coerce(value, annotation):
    """`value` as `annotation` wants it; the value itself when the annotation says nothing checkable. Raises Mismatch."""
    if annotation is typing.Any or value is None and annotation in (None, type(None)):
        return value
    if isinstance(annotation, (typing.NewType, typing.TypeAliasType)):
        return coerce(value, getattr(annotation, "__supertype__", None) or annotation.__value__)
    origin = typing.get_origin(annotation)
    if origin is not None:
        return _coerce_generic(value, origin, typing.get_args(annotation))
    if isinstance(annotation, type):
        return _coerce_class(value, annotation)
    return value


def coerce_or_keep(value, annotation):
    """Like `coerce`, but a value that does not fit stays as it came (PY-29): a tool's own code decides what to do with it."""
    try:
        return coerce(value, annotation)
    except (ValueError, TypeError):
        return value


def _coerce_generic(value, origin, arguments):
    if origin in (typing.Annotated, typing.Required, typing.NotRequired, typing.Final):
        return coerce(value, arguments[0])
    if origin is typing.Literal:
        return _require(value, value in arguments)
    if origin in (typing.Union, types.UnionType):
        return _coerce_union(value, arguments)
    if origin in (list, set, frozenset, collections.abc.Sequence, collections.abc.Iterable):
        return _coerce_items(value, origin, arguments)
    if origin in (dict, collections.abc.Mapping, collections.abc.MutableMapping):
        _require(value, isinstance(value, dict))
        return {key: coerce(item, arguments[1]) for key, item in value.items()} if arguments else value
    if origin is tuple:
        return _coerce_tuple(value, arguments)
    return value


def _coerce_union(value, members):
    if value is None and type(None) in members:
        return None
    members = [member for member in members if member is not type(None)]
    if len(members) == 1:
        return coerce(value, members[0])
    # A member whose type the value already has wins over one that it could be turned into.
    for member in members:
        if isinstance(member, type) and type(value) is member:
            return value
    for member in members:
        try:
            return coerce(value, member)
        except (ValueError, TypeError):
            continue
    raise Mismatch(f"{value!r} fits none of {[getattr(member, '__name__', member) for member in members]}")


def _coerce_items(value, origin, arguments):
    _require(value, isinstance(value, (list, tuple, set, frozenset)))
    item = arguments[0] if arguments else typing.Any
    items = [coerce(one, item) for one in value]
    return origin(items) if origin in (set, frozenset) else items


def _coerce_tuple(value, arguments):
    _require(value, isinstance(value, (list, tuple)))
    if not arguments:
        return tuple(value)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(coerce(one, arguments[0]) for one in value)
    _require(value, len(value) == len(arguments))
    return tuple(coerce(one, item) for one, item in zip(value, arguments))


def _coerce_class(value, cls):
    if cls is bool:
        return _require(value, isinstance(value, bool))
    if cls is int:
        return _coerce_integer(value)
    if cls is float:
        return float(_require(value, isinstance(value, (int, float)) and not isinstance(value, bool)))
    if cls is bytes:
        return value.encode() if isinstance(value, str) else _require(value, isinstance(value, (bytes, bytearray)))
    if typing.is_typeddict(cls):
        return _coerce_typed_dict(value, cls)
    if isinstance(value, cls):
        return value
    if hasattr(cls, "model_validate"):
        return cls.model_validate(value)
    if issubclass(cls, enum.Enum):
        return _coerce_enum(value, cls)
    if dataclasses.is_dataclass(cls):
        return _coerce_dataclass(value, cls)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return _coerce_named_tuple(value, cls)
    if cls in (list, tuple, set, frozenset):
        return _coerce_items(value, cls, ()) if cls is not tuple else _coerce_tuple(value, ())
    raise Mismatch(f"{value!r} is not of type {cls.__name__}")


def _coerce_integer(value):
    if isinstance(value, float) and value.is_integer():
        return int(value)  # JSON knows one kind of number
    return _require(value, isinstance(value, int) and not isinstance(value, bool))


def _coerce_enum(value, cls):
    try:
        return cls(value)
    except ValueError:
        if isinstance(value, str) and value in cls.__members__:
            return cls[value]
        raise Mismatch(f"{value!r} is no {cls.__name__}") from None


def _coerce_dataclass(value, cls):
    _require(value, isinstance(value, dict))
    hints = typing.get_type_hints(cls)
    known = {field.name for field in dataclasses.fields(cls) if field.init}
    return cls(**{name: coerce(item, hints[name]) for name, item in value.items() if name in known})


def _coerce_typed_dict(value, cls):
    _require(value, isinstance(value, dict))
    hints = typing.get_type_hints(cls, include_extras=True)
    return {name: coerce(item, hints.get(name, typing.Any)) for name, item in value.items()}


def _coerce_named_tuple(value, cls):
    hints = typing.get_type_hints(cls)
    if isinstance(value, dict):
        return cls(**{name: coerce(item, hints.get(name, typing.Any)) for name, item in value.items()})
    _require(value, isinstance(value, list))
    return cls(*(coerce(item, hints.get(name, typing.Any)) for name, item in zip(cls._fields, value, strict=True)))


def _require(value, fits):
    if not fits:
        raise Mismatch(f"{value!r} has the wrong type ({type(value).__name__})")
    return value
