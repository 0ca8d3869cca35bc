"""The conversation as the running code sees it: CallbackContext and ToolContext."""

from typing import Any, Optional

from frontdesk_guest.content import Content, Part
from frontdesk_guest.events import Event, EventActions
from sealed_guest.json_values import decode
from frontdesk_guest.models import Model, set_slot
from frontdesk_guest.paged_list import open_list


class CallbackContext(Model):
    """The session during one call (PY-19). `state` and `variables` are one dict; variables are parsed on first use, events read from the host."""

    __slots__ = ("_unread_events", "_unread_variables")

    user_content: Optional[Content] = None
    invocation_id: Optional[str] = None
    agent_name: Optional[str] = None
    session_id: Optional[str] = None
    variables: dict[str, Any] = {}
    events: list[Event] = []
    actions: EventActions = EventActions
    streaming_stage: Optional[str] = None
    language_code: Optional[str] = None
    project_id: Optional[str] = None
    project_number: Any = None
    location: Optional[str] = None
    app_id: Optional[str] = None
    turn_index: Optional[int] = None

    def __init__(self, **data):
        if "state" in data:
            data.setdefault("variables", data.pop("state"))
        super().__init__(**data)
        set_slot(self, "_unread_events", None)
        set_slot(self, "_unread_variables", None)

    @classmethod
    def _from_json(cls, source):
        context = super()._from_json(source)
        set_slot(context, "_unread_events", None)
        set_slot(context, "_unread_variables", None)
        return context

    @classmethod
    def _from_request(cls, fields, variables, events):
        """A context over the request's own JSON text of variables and a list of events that was sent (`open_list`), for first use."""
        context = _new(cls)
        set_slot(context, "_source", fields)
        set_slot(context, "_unread_variables", variables)
        set_slot(context, "_unread_events", events)
        return context

    def __getattr__(self, name):
        if name == "variables" and self._unread_variables is not None:
            value = self.__dict__[name] = decode(self._unread_variables)
            return value
        if name == "events" and self._unread_events is not None:
            value = self.__dict__[name] = open_list(self._unread_events, Event._from_json)
            return value
        return super().__getattr__(name)

    def __setattr__(self, name, value):
        if name == "variables" and not isinstance(value, dict):
            raise TypeError(f"context.variables must be a dict, not {type(value).__name__}")
        super().__setattr__(name, value)

    @property
    def state(self) -> dict[str, Any]:
        return self.variables

    @state.setter
    def state(self, value):
        self.variables = value

    def get_variable(self, key: str, default: Any = None) -> Any:
        return self.variables.get(key, default)

    def set_variable(self, key: str, value: Any) -> None:
        self.variables[key] = value

    def remove_variable(self, key: str) -> None:
        del self.variables[key]

    def get_last_user_input(self) -> list[Part]:
        """The parts of the user's newest run of events (PY-20). As hosted, a newest event of the agent is swept in with it.

        Where the user said something, without the responses of the client's tools beside it: code reads the words as the first part, or the last (GUARD-34).
        """
        parts = self._last_parts(Event.is_user)
        return [part for part in parts if part.function_response is None] or parts

    def get_last_agent_output(self) -> list[Part]:
        return self._last_parts(Event.is_agent)

    def parts(self) -> list[Part]:
        """Every part of every event, in order."""
        return [part for event in self.events for part in event.parts()]

    def _last_parts(self, wanted):
        collected = []
        for event in reversed(self.events):
            if collected and not wanted(event):
                break
            collected = [*event.parts(), *collected]
        return collected


class ToolContext(CallbackContext):
    """The context of a tool: knows the call that is being answered."""

    function_call_id: Optional[str] = None


_new = object.__new__
