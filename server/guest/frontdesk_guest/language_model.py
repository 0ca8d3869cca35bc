"""The model call as callbacks see it: LlmRequest, LlmResponse and what hangs on them."""

from typing import Optional

from frontdesk_guest.content import Content, Part
from frontdesk_guest.models import Model, set_slot


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

    __slots__ = ("_given",)

    model: Optional[str] = None
    contents: list[Content] = []
    config: GenerateContentConfig = GenerateContentConfig

    @classmethod
    def _with_contents(cls, text, contents):
        """A request over the host's JSON, whose contents are a list that is read by page."""
        request = cls._from_text(text)
        set_slot(request, "_given", contents)
        return request

    def _unset(self, name):
        return None if name == "_given" else super()._unset(name)

    def __getattr__(self, name):
        if name == "contents" and self._given is not None:
            value = self.__dict__[name] = self._given
            return value
        return super().__getattr__(name)

    def _to_json(self):
        if self._given is not None:
            self.contents  # the JSON that came names them only
        return super()._to_json()

    def _for_host(self):
        """Contents that are as they came are named by index (`PagedList.for_host`)."""
        if self._given is None or "contents" not in self.__dict__:
            return super()._to_json()
        contents = self.__dict__.pop("contents")
        result = dict(super()._to_json())
        self.__dict__["contents"] = contents
        result["contents"] = self._given.for_host(contents) if isinstance(contents, list) else contents
        return result

    def model_copy(self, **options):
        self._to_json()
        return super().model_copy(**options)


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
