"""
What Python tools and callbacks find without importing it. For editors: put `from frontdesk import *` under
`if TYPE_CHECKING:` (never under a plain import, there is no such module at run time).
"""

import enum
import logging
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Optional, Self

class _Model:
    """The manner of a Pydantic model: keyword constructor, snake_case or camelCase, unknown keys ignored."""

    model_fields: ClassVar[dict[str, Any]]
    model_config: ClassVar[dict[str, Any]]
    def __init__(self, **data: Any) -> None: ...
    def __iter__(self) -> Iterator[tuple[str, Any]]: ...
    @property
    def model_fields_set(self) -> set[str]: ...
    @classmethod
    def model_validate(cls, value: Any, **options: Any) -> Self: ...
    @classmethod
    def model_validate_json(cls, text: str | bytes, **options: Any) -> Self: ...
    @classmethod
    def model_construct(cls, _fields_set: Optional[set[str]] = None, **data: Any) -> Self: ...
    @classmethod
    def model_json_schema(cls, **options: Any) -> dict[str, Any]: ...
    @classmethod
    def model_rebuild(cls, **options: Any) -> None: ...
    @classmethod
    def parse_obj(cls, value: Any, **options: Any) -> Self: ...
    @classmethod
    def parse_raw(cls, text: str | bytes, **options: Any) -> Self: ...
    def model_dump(
        self,
        *,
        mode: str = "python",
        include: Optional[set[str]] = None,
        exclude: Optional[set[str]] = None,
        exclude_none: bool = False,
        exclude_unset: bool = False,
        exclude_defaults: bool = False,
        by_alias: bool = False,
    ) -> dict[str, Any]: ...
    def model_dump_json(self, *, indent: Optional[int] = None, **options: Any) -> str: ...
    def model_copy(self, *, update: Optional[dict[str, Any]] = None, deep: bool = False) -> Self: ...
    def dict(self, **options: Any) -> dict[str, Any]: ...
    def json(self, **options: Any) -> str: ...
    def copy(self, **options: Any) -> Self: ...

class Blob(_Model):
    """Inline bytes. `data` holds base64 text; `raw_data` reads and writes the decoded bytes."""

    display_name: Optional[str]
    data: Optional[bytes]
    mime_type: Optional[str]
    @property
    def raw_data(self) -> Optional[bytes]: ...
    @raw_data.setter
    def raw_data(self, value: Optional[bytes]) -> None: ...
    def transcript(self) -> Optional[str]:
        """The cached transcript of an audio blob."""

    @classmethod
    def from_json(cls, data: str) -> Blob: ...

class FunctionCall(_Model):
    id: Optional[str]
    name: Optional[str]
    args: Optional[dict[str, Any]]

class FunctionResponse(_Model):
    """In `response` the keys `output` and `error` are special; with neither, all of it is the output."""

    id: Optional[str]
    name: Optional[str]
    response: Optional[dict[str, Any]]
    will_continue: Optional[bool]

_FunctionCall = FunctionCall
_FunctionResponse = FunctionResponse

class Part(_Model):
    """One piece of a message; exactly one of its fields is set."""

    FunctionCall = _FunctionCall
    FunctionResponse = _FunctionResponse
    text: Optional[str]
    function_call: Optional[_FunctionCall]
    function_response: Optional[_FunctionResponse]
    inline_data: Optional[Blob]
    def text_or_transcript(self) -> Optional[str]: ...
    def has_function_call(self, name: str) -> bool: ...
    def has_function_response(self, name: str) -> bool: ...
    @classmethod
    def from_text(cls, text: str) -> Part: ...
    @classmethod
    def from_function_call(cls, name: str, args: dict[str, Any]) -> Part: ...
    @classmethod
    def from_function_response(cls, name: str, response: dict[str, Any]) -> Part: ...
    @classmethod
    def from_inline_data(cls, data: bytes, mime_type: str) -> Part: ...
    @classmethod
    def from_json(cls, data: str) -> Part:
        """A custom payload for the client, as JSON text."""

    @classmethod
    def from_agent_transfer(cls, agent: str) -> Part:
        """Hands the conversation to another agent, by display name."""

    @classmethod
    def from_end_session(cls, *, reason: str, escalated: bool = False) -> Part: ...
    @classmethod
    def from_customized_response(
        cls,
        *,
        content: str,
        disable_barge_in: bool = False,
        enable_dtmf: bool = False,
        dtmf_finish_digit: str = "#",
        dtmf_endpointing_timeout: int = 3,
    ) -> Part: ...
    @classmethod
    def from_audio(cls, audio_uri: str, cancellable: bool = False, interruptable: bool = True) -> Part: ...

class Content(_Model):
    """One message: its parts and its role, `user` or `model`."""

    parts: Optional[list[Part]]
    role: Optional[str]
    def is_user(self) -> bool: ...
    def is_model(self) -> bool: ...

class EventActions(_Model):
    skip_summarization: Optional[bool]
    state_delta: dict[str, Any]
    artifact_delta: dict[str, Any]
    transfer_to_agent: Optional[str]
    escalate: Optional[bool]
    requested_auth_configs: dict[str, dict[str, Any]]
    end_invocation: Optional[bool]

class Event(_Model):
    """One entry of the session's history. `author` is "user" or the agent's display name."""

    id: Optional[str]
    invocation_id: Optional[str]
    author: Optional[str]
    timestamp: int
    content: Optional[Content]
    actions: EventActions
    long_running_tool_ids: Optional[set[str]]
    partial: Optional[bool]
    turn_complete: Optional[bool]
    error_code: Optional[str]
    error_message: Optional[str]
    interrupted: Optional[bool]
    branch: Optional[str]
    grounding_metadata: Any
    def is_user(self) -> bool: ...
    def is_agent(self, agent_name: Optional[str] = None) -> bool: ...
    def has_error(self) -> bool: ...
    def parts(self) -> list[Part]: ...

class CallbackContext(_Model):
    """The session during one call. `state` and `variables` are one dict."""

    user_content: Optional[Content]
    invocation_id: str
    agent_name: str
    session_id: str
    variables: dict[str, Any]
    events: list[Event]
    actions: EventActions
    streaming_stage: Optional[str]
    language_code: Optional[str]
    project_id: Optional[str]
    project_number: Optional[int]
    location: Optional[str]
    app_id: Optional[str]
    turn_index: Optional[int]
    @property
    def state(self) -> dict[str, Any]: ...
    @state.setter
    def state(self, value: dict[str, Any]) -> None: ...
    def get_variable(self, key: str, default: Any = None) -> Any: ...
    def set_variable(self, key: str, value: Any) -> None: ...
    def remove_variable(self, key: str) -> None:
        """Raises KeyError for a variable that is not there."""

    def get_last_user_input(self) -> list[Part]: ...
    def get_last_agent_output(self) -> list[Part]: ...
    def parts(self) -> list[Part]:
        """Every part of every event, in order."""

class ToolContext(CallbackContext):
    function_call_id: Optional[str]

class FunctionDeclaration(_Model):
    name: Optional[str]

class ToolDeclaration(_Model):
    function_declarations: Optional[list[FunctionDeclaration]]

class GenerateContentConfig(_Model):
    """Parameters of one model call. `excluded_tools` wins over `tools`."""

    system_instruction: Optional[Content]
    tools: Optional[list[ToolDeclaration]]
    excluded_tools: Optional[list[str]]
    def hide_tool(self, tool_name: str) -> None: ...

class LlmRequest(_Model):
    model: Optional[str]
    contents: list[Content]
    config: GenerateContentConfig

class LlmResponse(_Model):
    content: Optional[Content]
    partial: Optional[bool]
    turn_complete: Optional[bool]
    @classmethod
    def from_parts(cls, parts: list[Part]) -> LlmResponse: ...

class Tool(_Model):
    name: str
    description: Optional[str]

class HttpMethod(str, enum.Enum):
    GET = "GET"
    POST = "POST"
    PUT = "PUT"
    DELETE = "DELETE"
    PATCH = "PATCH"
    HEAD = "HEAD"
    OPTIONS = "OPTIONS"

class StatusError(Exception):
    status_code: int
    reason: str
    def __init__(self, status_code: int, reason: str = "") -> None: ...

class ExternalResponse(Mapping[str, Any]):
    """The answer of a tool or an HTTP server. Reads like the dict it carries, with or without the `result` wrapper."""

    text: str
    status_code: int
    reason: str
    headers: dict[str, str]
    def __init__(
        self, text: str = "", status_code: int = 200, reason: str = "", headers: Optional[Mapping[str, str]] = None
    ) -> None: ...
    @property
    def ok(self) -> bool: ...
    @property
    def content(self) -> bytes: ...
    def json(self) -> Any: ...
    def raise_for_status(self) -> None:
        """Raises StatusError for a status of 400 or more."""

    def get(self, key: str, default: Any = None) -> Any: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...

class Requests:
    """HTTP. Options: params, headers, data, json, timeout (seconds), allow_redirects, auth (name, password), cookies."""

    def request(self, method: str | HttpMethod, url: str, **options: Any) -> ExternalResponse: ...
    def get(self, url: str, params: Any = None, **options: Any) -> ExternalResponse: ...
    def post(self, url: str, data: Any = None, json: Any = None, **options: Any) -> ExternalResponse: ...
    def put(self, url: str, data: Any = None, json: Any = None, **options: Any) -> ExternalResponse: ...
    def patch(self, url: str, data: Any = None, json: Any = None, **options: Any) -> ExternalResponse: ...
    def delete(self, url: str, **options: Any) -> ExternalResponse: ...
    def head(self, url: str, **options: Any) -> ExternalResponse: ...
    def options(self, url: str, **options: Any) -> ExternalResponse: ...
    def async_request(self, method: str | HttpMethod, url: str, **options: Any) -> _Future:
        """Sends a request and returns at once, as all that begin with `async_`."""

    def async_get(self, url: str, params: Any = None, **options: Any) -> _Future: ...
    def async_post(self, url: str, data: Any = None, json: Any = None, **options: Any) -> _Future: ...
    def async_put(self, url: str, data: Any = None, json: Any = None, **options: Any) -> _Future: ...
    def async_patch(self, url: str, data: Any = None, json: Any = None, **options: Any) -> _Future: ...
    def async_delete(self, url: str, **options: Any) -> _Future: ...
    def async_head(self, url: str, **options: Any) -> _Future: ...
    def async_options(self, url: str, **options: Any) -> _Future: ...

class _ToolCall:
    def __call__(self, args: dict[str, Any] = ..., /, **keywords: Any) -> ExternalResponse: ...

class _Future:
    """A tool or a request that goes on. Call it, or await it, for its answer."""

    def __call__(self) -> ExternalResponse: ...
    def result(self) -> ExternalResponse: ...
    def __await__(self) -> Iterator[Any]: ...

class _AsyncToolCall:
    def __call__(self, args: dict[str, Any] = ..., /, **keywords: Any) -> _Future: ...

class Tools:
    """`tools.NAME(args)` runs a tool of the app and waits. A name that Python cannot spell is written with `_` or subscripted."""

    def __getattr__(self, name: str) -> _ToolCall: ...
    def __getitem__(self, name: str) -> _ToolCall: ...

class AsyncTools:
    """`async_tools.NAME(args)` starts a tool of the app and returns at once."""

    def __getattr__(self, name: str) -> _AsyncToolCall: ...
    def __getitem__(self, name: str) -> _AsyncToolCall: ...

context: ToolContext
tools: Tools
async_tools: AsyncTools
ces_requests: Requests
requests: Requests
logger: logging.Logger

def get_variable(key: str, default: Any = None) -> Any: ...
def set_variable(key: str, value: Any) -> None: ...
def remove_variable(key: str) -> None: ...

class ces_public:
    """Every name above, under a prefix."""

    def __getattr__(self, name: str) -> Any: ...

class ces_internal:
    """Every name above, under a prefix."""

    def __getattr__(self, name: str) -> Any: ...
