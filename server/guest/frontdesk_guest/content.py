"""Messages: Blob, Part, FunctionCall, FunctionResponse and Content."""

import base64
import binascii
import json
from typing import Any, Optional

from frontdesk_guest.models import Model, ValidationError, set_slot

JSON_PAYLOAD = "application/json"
AGENT_RESPONSE_PAYLOAD = "application/json+agentResponse"
AUDIO_PAYLOAD = "application/json+audio"


class Blob(Model):
    """Inline bytes (PY-11). `data` holds base64 text; `raw_data` the decoded bytes."""

    __slots__ = ("_unencoded",)
    display_name: Optional[str] = None
    data: Optional[bytes] = None
    mime_type: Optional[str] = None

    def __init__(self, **data):
        raw = data.pop("raw_data", data.pop("rawData", None))
        super().__init__(**data)
        if raw is not None:
            self.raw_data = raw

    @property
    def raw_data(self) -> Optional[bytes]:
        if self.data is None or self._holds_plain_bytes():
            return self.data
        return base64.b64decode(self.data)

    @raw_data.setter
    def raw_data(self, value):
        self.data = None if value is None else base64.b64encode(value.encode() if isinstance(value, str) else value)
        set_slot(self, "_unencoded", False)

    def transcript(self) -> Optional[str]:
        """The cached transcript of an audio blob."""
        return self._source.get("transcript")

    @classmethod
    def from_json(cls, data: str) -> "Blob":
        return cls._of_plain_bytes(data.encode(), JSON_PAYLOAD)

    @classmethod
    def _of_plain_bytes(cls, data, mime_type):
        blob = cls(data=data, mime_type=mime_type)
        set_slot(blob, "_unencoded", True)
        return blob

    def _holds_plain_bytes(self):
        """Official constructors put plain bytes into `data`, so what is not valid base64 is taken as it is."""
        if getattr(self, "_unencoded", False):
            return True
        data = self.data.encode() if isinstance(self.data, str) else self.data
        try:
            base64.b64decode(data, validate=True)
            return False
        except (binascii.Error, ValueError):
            return True

    def __getattr__(self, name):
        if name == "_unencoded":
            raise AttributeError(name)
        return super().__getattr__(name)

    def _to_json(self):
        result = dict(super()._to_json())
        if "data" in self.__dict__ and self.data is not None:
            data = self.data.encode() if isinstance(self.data, str) else bytes(self.data)
            result["data"] = (base64.b64encode(data) if self._holds_plain_bytes() else data).decode()
        return result


class FunctionCall(Model):
    """A function that the model, or a callback, wants to run."""

    id: Optional[str] = None
    name: Optional[str] = None
    args: Optional[dict[str, Any]] = None


class FunctionResponse(Model):
    """What a function answered. In `response` the keys `output` and `error` are special."""

    id: Optional[str] = None
    name: Optional[str] = None
    response: Optional[dict[str, Any]] = None
    will_continue: Optional[bool] = None


class Part(Model):
    """One piece of a message (PY-12); exactly one of its fields is set."""

    FunctionCall = FunctionCall
    FunctionResponse = FunctionResponse

    text: Optional[str] = None
    function_call: Optional[FunctionCall] = None
    function_response: Optional[FunctionResponse] = None
    inline_data: Optional[Blob] = None

    def __init__(self, **data):
        super().__init__(**data)
        given = [name for name in Part.model_fields if self.__dict__.get(name) is not None]
        if len(given) > 1:
            raise ValidationError(f"Part: {' and '.join(given)} are set; a part has one of {', '.join(Part.model_fields)}")

    def text_or_transcript(self) -> Optional[str]:
        if self.text is not None:
            return self.text
        return self.inline_data.transcript() if self.inline_data else None

    def has_function_call(self, name: str) -> bool:
        return self.function_call is not None and self.function_call.name == name

    def has_function_response(self, name: str) -> bool:
        return self.function_response is not None and self.function_response.name == name

    @classmethod
    def from_text(cls, text: str) -> "Part":
        return cls(text=text)

    @classmethod
    def from_function_call(cls, name: str, args: dict[str, Any]) -> "Part":
        return cls(function_call=FunctionCall(name=name, args=args))

    @classmethod
    def from_function_response(cls, name: str, response: dict[str, Any]) -> "Part":
        return cls(function_response=FunctionResponse(name=name, response=response))

    @classmethod
    def from_inline_data(cls, data: bytes, mime_type: str) -> "Part":
        return cls(inline_data=Blob._of_plain_bytes(data, mime_type))

    @classmethod
    def from_json(cls, data: str) -> "Part":
        """A custom payload for the client (PY-13)."""
        return cls(inline_data=Blob.from_json(data))

    @classmethod
    def from_agent_transfer(cls, agent: str) -> "Part":
        return cls.from_function_call("transfer_to_agent", {"agent_name": agent})

    @classmethod
    def from_end_session(cls, *, reason: str, escalated: bool = False) -> "Part":
        return cls.from_function_call("end_session", {"reason": reason, "session_escalated": escalated})

    @classmethod
    def from_customized_response(
        cls,
        *,
        content: str,
        disable_barge_in: bool = False,
        enable_dtmf: bool = False,
        dtmf_finish_digit: str = "#",
        dtmf_endpointing_timeout: int = 3,
    ) -> "Part":
        payload = {
            "content": content,
            "disableBargeIn": disable_barge_in,
            "enableDtmf": enable_dtmf,
            "dtmfFinishDigit": dtmf_finish_digit,
            "dtmfEndpointingTimeout": dtmf_endpointing_timeout,
        }
        return cls.from_inline_data(json.dumps(payload).encode(), AGENT_RESPONSE_PAYLOAD)

    @classmethod
    def from_audio(cls, audio_uri: str, cancellable: bool = False, interruptable: bool = True) -> "Part":
        payload = {"audioUri": audio_uri, "cancellable": cancellable, "interruptable": interruptable}
        return cls.from_inline_data(json.dumps(payload).encode(), AUDIO_PAYLOAD)


class Content(Model):
    """One message: its parts and its role, `user` or `model`."""

    parts: Optional[list[Part]] = None
    role: Optional[str] = None

    def is_user(self) -> bool:
        return self.role == "user"

    def is_model(self) -> bool:
        return self.role == "model"
