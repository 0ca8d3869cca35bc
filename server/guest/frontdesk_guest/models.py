"""The ground of the platform's classes: Pydantic-like models that are read lazily from the host's JSON."""

import copy
import json
import typing

from frontdesk_guest import dumping
from sealed_guest.coercion import coerce
from sealed_guest.json_values import decode

_MISSING = object()


def camel_case(name):
    """`function_call` becomes `functionCall`."""
    head, *tail = name.split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in tail)


class ValidationError(ValueError):
    """A constructor was given a value of the wrong type."""


class Field:
    """One declared attribute: its annotation, its two spellings and how its default comes about."""

    __slots__ = ("name", "alias", "annotation", "default", "_adopt")

    def __init__(self, name, annotation, default):
        self.name = name
        self.alias = camel_case(name)
        self.annotation = annotation
        self.default = default
        self._adopt = _adopter(annotation)

    def find(self, source):
        value = source.get(self.name, _MISSING)
        return source.get(self.alias, _MISSING) if value is _MISSING else value

    def fresh_default(self):
        if isinstance(self.default, type):
            return self.default()
        return copy.copy(self.default)

    def load(self, source):
        """The value out of the host's JSON; null counts as absent."""
        value = source.get(self.name)
        if value is None and self.alias != self.name:
            value = self.find(source)
        if value is None or value is _MISSING:
            return self.fresh_default()
        return self._adopt(value) if self._adopt else value

    def check(self, value, owner):
        """The value a constructor was given, with dicts turned into the declared models."""
        if value is None:
            return self.fresh_default()
        try:
            return coerce(value, self.annotation)
        except (ValueError, TypeError) as mismatch:
            raise ValidationError(f"{owner}.{self.name}: {mismatch}") from None


def _adopter(annotation):
    """
    How the host's JSON becomes the value of a field, without looking inside: models and lists of models become lazy,
    None where the value stays as it is. Found out once for each field, because reading happens all the time.
    """
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return lambda value: annotation._from_json(value) if isinstance(value, dict) else value
    arguments = typing.get_args(annotation)
    if not arguments:
        return (lambda value: value.encode() if isinstance(value, str) else value) if annotation is bytes else None
    origin = typing.get_origin(annotation)
    if origin is list:
        return _list_adopter(_adopter(arguments[0]))
    if origin is set:
        return lambda value: set(value) if isinstance(value, list) else value
    return _adopter(arguments[0]) if type(None) in arguments else None


def _list_adopter(adopt):
    if adopt is None:
        return lambda value: list(value) if isinstance(value, list) else value
    return lambda value: [adopt(item) for item in value] if isinstance(value, list) else value


class Model:
    """
    Base of the platform's classes (PY-10). Accepts snake_case and camelCase, ignores unknown keys, and answers the common
    methods of a Pydantic model. What came from the host keeps its unknown keys, so that an edit loses nothing; its text is
    parsed when somebody looks inside (`__getattr__`).
    """

    __slots__ = ("_text", "_source", "_assigned", "__dict__", "__weakref__")
    model_fields: typing.ClassVar[dict] = {}
    model_config: typing.ClassVar[dict] = {"extra": "ignore", "populate_by_name": True}

    def __init_subclass__(cls):
        fields = dict(cls.model_fields)
        for name, annotation in typing.get_type_hints(cls).items():
            if name.startswith("_") or typing.get_origin(annotation) is typing.ClassVar:
                continue
            default = cls.__dict__.get(name, _MISSING)
            if default is not _MISSING:
                delattr(cls, name)  # otherwise the class attribute would hide the lazy reading
            elif name in fields:
                continue
            fields[name] = Field(name, annotation, None if default is _MISSING else default)
        cls.model_fields = fields

    def __init__(self, **data):
        set_slot(self, "_source", {})
        set_slot(self, "_assigned", set())
        for field in self.model_fields.values():
            value = field.find(data)
            if value is not _MISSING:
                self._assigned.add(field.name)
                self.__dict__[field.name] = field.check(value, type(self).__name__)

    @classmethod
    def _from_json(cls, source):
        model = _new(cls)
        set_slot(model, "_source", source)
        return model

    @classmethod
    def _from_text(cls, text):
        """A model over the host's own JSON text (bytes)."""
        model = _new(cls)
        set_slot(model, "_text", text)
        return model

    @classmethod
    def model_validate(cls, value, **_options):
        """An instance of this class, from itself or from a dict."""
        if isinstance(value, cls):
            return value
        if not isinstance(value, dict):
            raise ValidationError(f"{cls.__name__} cannot be made from {type(value).__name__}")
        return cls(**{str(key): item for key, item in value.items()})

    @classmethod
    def model_validate_json(cls, text, **_options):
        try:
            return cls.model_validate(json.loads(text))
        except json.JSONDecodeError as error:
            raise ValidationError(f"{cls.__name__} cannot be made from text that is not JSON: {error}") from None

    @classmethod
    def model_construct(cls, _fields_set=None, **data):
        return cls(**data)

    @classmethod
    def model_json_schema(cls, **_options):
        from sealed_guest.schemas import schema_of  # which describes models too

        properties = {name: schema_of(field.annotation) for name, field in cls.model_fields.items()}
        return {"title": cls.__name__, "type": "object", "properties": properties}

    @classmethod
    def model_rebuild(cls, **_options):
        """Nothing is left to resolve."""

    parse_obj = model_validate
    parse_raw = model_validate_json

    @property
    def model_fields_set(self):
        """Names of the fields that were given, by the host or by code."""
        given = {name for name, field in self.model_fields.items() if field.find(self._source) is not _MISSING}
        return given | (self._assigned or set())

    def __getattr__(self, name):
        field = type(self).model_fields.get(name)
        if field is None:
            return self._unset(name)
        value = self.__dict__[name] = field.load(self._source)
        return value

    def _unset(self, name):
        """What a slot means that nobody filled."""
        if name == "_assigned":
            return None
        if name == "_source":
            set_slot(self, "_source", decode(self._text))
            return self._source
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name, value):
        if name in self.model_fields:
            if self._assigned is None:
                set_slot(self, "_assigned", set())
            self._assigned.add(name)
            self.__dict__[name] = value
        elif isinstance(getattr(type(self), name, None), property):
            set_slot(self, name, value)
        else:
            raise ValueError(f'"{type(self).__name__}" object has no field "{name}"')

    def _to_json(self):
        touched = self.__dict__
        if not touched:
            return self._source
        result = dict(self._source)
        for name in self.model_fields:
            if name in touched:
                self._put(result, name, touched[name])
        return result

    def _for_host(self):
        """JSON for the host that made the model; a subclass may write what the host knows in a shorter way."""
        return self._to_json()

    def _put(self, result, name, value):
        alias = self.model_fields[name].alias
        key = alias if alias in result else name
        if value is None:
            if result.get(key) is not None:
                result[key] = None
            return
        if isinstance(value, Model):
            value = value._to_json()
        # A default that was only looked at is not a change.
        if key in result or value not in ({}, []) or (self._assigned and name in self._assigned):
            result[key] = value

    def model_dump(self, **options):
        """A dict of all fields, nested models included. Takes the options of Pydantic's method of this name."""
        return dumping.dump(self, dumping.Options(**options))

    def model_dump_json(self, *, indent=None, **options):
        return dumping.dump_json(self, indent, dumping.Options(**options))

    def model_copy(self, *, update=None, deep=False):
        twin = type(self)._from_json(copy.deepcopy(self._source) if deep else self._source)
        set_slot(twin, "_assigned", set(self._assigned or ()))
        twin.__dict__.update(copy.deepcopy(self.__dict__) if deep else self.__dict__)
        for name, value in (update or {}).items():
            setattr(twin, name, value)
        return twin

    def dict(self, **options):
        return self.model_dump(**options)

    def json(self, **options):
        return self.model_dump_json(**options)

    def copy(self, **options):
        return self.model_copy(**options)

    def __copy__(self):
        return self.model_copy()

    def __deepcopy__(self, _memo):
        return self.model_copy(deep=True)

    def __reduce__(self):
        return type(self).model_validate, (self.model_dump(exclude_unset=True),)

    def __eq__(self, other):
        return type(self) is type(other) and self.model_dump() == other.model_dump()

    __hash__ = None

    def __iter__(self):
        return ((name, getattr(self, name)) for name in self.model_fields)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(self._shown())})"

    def __str__(self):
        return " ".join(self._shown())

    def _shown(self):
        return [f"{name}={getattr(self, name)!r}" for name in self.model_fields]


_new = object.__new__
set_slot = object.__setattr__
