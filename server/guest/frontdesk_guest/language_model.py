"""The model call as callbacks see it: LlmRequest, LlmResponse and what hangs on them."""

from typing import Optional

from frontdesk_guest.content import Content, Part
from frontdesk_guest.models import Model, set_slot
from frontdesk_guest.paged_list import PagedList, contents_for_host, open_list


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

    __slots__ = ("_sent_contents", "_given")

    model: Optional[str] = None
    contents: list[Content] = []
    config: GenerateContentConfig = GenerateContentConfig

    @classmethod
    def _with_contents(cls, text, sent):
        """A request over the host's JSON, whose contents came apart (`open_list`)."""
        request = cls._from_text(text)
        set_slot(request, "_sent_contents", sent)
        return request

    def _unset(self, name):
        return None if name in LlmRequest.__slots__ else super()._unset(name)

    def __getattr__(self, name):
        if name == "contents" and self._sent_contents is not None:
            value = self.__dict__[name] = open_list(self._sent_contents, Content._from_json)
            set_slot(self, "_given", value if isinstance(value, PagedList) else tuple(value))
            return value
        return super().__getattr__(name)

    def _to_json(self):
        if self._sent_contents is not None:
            self.contents  # the JSON that came names them only
        return super()._to_json()

    def _for_host(self):
        """Contents that are as they came are named by index."""
        if self._sent_contents is None or "contents" not in self.__dict__:
            return super()._to_json()
        contents = self.__dict__.pop("contents")
        result = dict(super()._to_json())
        self.__dict__["contents"] = contents
        if isinstance(contents, list):
            contents = contents_for_host(contents, self._given, self._sent_contents[-1])
        result["contents"] = contents
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
