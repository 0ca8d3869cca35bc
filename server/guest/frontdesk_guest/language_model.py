"""The model call as callbacks see it: LlmRequest, LlmResponse and what hangs on them."""

from typing import Optional

from frontdesk_guest.content import Content, Part
from frontdesk_guest.models import Model


class FunctionDeclaration(Model):
    """A function offered to the model; only its name is shown."""

    name: Optional[str] = None


class ToolDeclaration(Model):
    """A tool offered to the model."""

    function_declarations: Optional[list[FunctionDeclaration]] = None


class GenerateContentConfig(Model):
    """Parameters of one model call. `excluded_tools` wins over `tools`."""

    system_instruction: Optional[Content] = None
    tools: Optional[list[ToolDeclaration]] = None
    excluded_tools: Optional[list[str]] = None

    def hide_tool(self, tool_name: str) -> None:
        """Keeps one tool from the model for this call."""
        self.excluded_tools = [*(self.excluded_tools or []), tool_name]


class LlmRequest(Model):
    """What is about to be sent to the model (PY-16)."""

    model: Optional[str] = None
    contents: list[Content] = []
    config: GenerateContentConfig = GenerateContentConfig


class LlmResponse(Model):
    """What the model said, or what a callback wants said instead."""

    content: Optional[Content] = None
    partial: Optional[bool] = None
    turn_complete: Optional[bool] = None

    @classmethod
    def from_parts(cls, parts: list[Part]) -> "LlmResponse":
        return cls(content=Content(parts=parts, role="model"))


class Tool(Model):
    """A tool by name and description."""

    name: Optional[str] = None
    description: Optional[str] = None
