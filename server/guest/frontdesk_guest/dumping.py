"""From the platform's models to dicts and JSON text, with the options that Pydantic's `model_dump` has."""

import json

from sealed_guest.json_values import encode, to_json


class Options:
    """Which fields are dumped, and under which names. Options that change nothing here are accepted."""

    __slots__ = ("include", "exclude", "exclude_none", "exclude_unset", "exclude_defaults", "by_alias", "as_json")

    def __init__(
        self,
        *,
        mode="python",
        include=None,
        exclude=None,
        exclude_none=False,
        exclude_unset=False,
        exclude_defaults=False,
        by_alias=False,
        **_without_effect,
    ):
        self.include = include
        self.exclude = exclude or ()
        self.exclude_none = exclude_none
        self.exclude_unset = exclude_unset
        self.exclude_defaults = exclude_defaults
        self.by_alias = by_alias
        self.as_json = mode == "json"

    def inside(self):
        """For nested models: `include` and `exclude` name fields of the outermost one."""
        if self.include is None and not self.exclude:
            return self
        twin = Options(mode="json" if self.as_json else "python", by_alias=self.by_alias)
        twin.exclude_none, twin.exclude_unset = self.exclude_none, self.exclude_unset
        twin.exclude_defaults = self.exclude_defaults
        return twin


def dump(model, options):
    """The model as a dict."""
    given = model.model_fields_set if options.exclude_unset else None
    inside = options.inside()
    result = {}
    for name, field in model.model_fields.items():
        if options.include is not None and name not in options.include or name in options.exclude:
            continue
        if given is not None and name not in given:
            continue
        value = getattr(model, name)
        if value is None and options.exclude_none or options.exclude_defaults and value == field.fresh_default():
            continue
        result[field.alias if options.by_alias else name] = _dump_value(value, inside)
    return result


def dump_json(model, indent, options):
    """The model as JSON text."""
    value = dump(model, options)
    if indent is None:
        return encode(value)
    return json.dumps(value, default=to_json, ensure_ascii=False, allow_nan=False, indent=indent)


def _dump_value(value, options):
    if hasattr(type(value), "model_fields") and hasattr(type(value), "_from_json"):
        return dump(value, options)
    if isinstance(value, dict):
        return {key: _dump_value(item, options) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_dump_value(item, options) for item in value]
    if not options.as_json or value is None or isinstance(value, (str, int, float)):
        return value
    return to_json(value)
