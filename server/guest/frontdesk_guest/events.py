"""What happened in a session: Event and EventActions."""

from typing import Any, Optional

from frontdesk_guest.content import Content, Part
from frontdesk_guest.models import Model


class EventActions(Model):
    """Side effects attached to an event."""

    skip_summarization: Optional[bool] = None
    state_delta: dict[str, Any] = {}
    artifact_delta: dict[str, Any] = {}
    transfer_to_agent: Optional[str] = None
    escalate: Optional[bool] = None
    requested_auth_configs: dict[str, dict[str, Any]] = {}
    end_invocation: Optional[bool] = None


class Event(Model):
    """One entry of the session's history. `author` is "user" or the agent's display name."""

    id: Optional[str] = None
    invocation_id: Optional[str] = None
    author: Optional[str] = None
    timestamp: Any = None
    content: Optional[Content] = None
    actions: EventActions = EventActions
    long_running_tool_ids: Optional[set[str]] = None
    partial: Optional[bool] = None
    turn_complete: Optional[bool] = None
    error_code: Optional[str] = None
    error_message: Optional[str] = None
    interrupted: Optional[bool] = None
    branch: Optional[str] = None
    grounding_metadata: Any = None

    def is_user(self) -> bool:
        return self.author == "user"

    def is_agent(self, agent_name: Optional[str] = None) -> bool:
        return not self.is_user() and (agent_name is None or self.author == agent_name)

    def has_error(self) -> bool:
        return bool(self.error_code)

    def parts(self) -> list[Part]:
        return (self.content.parts if self.content else None) or []
