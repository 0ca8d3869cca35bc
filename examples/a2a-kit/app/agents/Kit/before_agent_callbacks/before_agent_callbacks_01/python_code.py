import json
import time

TEXTS = {
    "tck-artifact-text": ["Generated text content"],
    "tck-stream-artifact-text": ["Streamed text content"],
    "tck-stream-artifact-chunked": ["chunk-1 ", "chunk-2"],
    "tck-stream-ordering-001": ["Ordered output"],
    "tck-stream-001": ["Stream hello from TCK"],
    "tck-stream-003": ["Stream task lifecycle"],
    "tck-delayed-complete": ["Done after delay"],
}

FILE = {"inlineData": {"mimeType": "text/plain", "displayName": "output.txt", "data": "dGNr"}}
LINK = {"fileData": {"mimeType": "text/plain", "displayName": "output.txt", "fileUri": "https://example.com/output.txt"}}

PAYLOADS = {
    "tck-artifact-file-url": LINK,
    "tck-artifact-file": FILE,
    "tck-stream-artifact-file": FILE,
    "tck-artifact-data": {"key": "value", "count": 42},
}

STATES = {
    "tck-input-required": ("input-required", "Which one do you mean?"),
    "tck-auth-required": ("auth-required", "Please sign in first."),
    "tck-reject-task": ("rejected", "rejected"),
    "tck-message-response": ("message", "Direct message response"),
    # The kit of version 0.3 goes on with its tasks, and cancels them.
    "test-": ("input-required", "What else?"),
}

DELAYS = {"tck-delayed-complete": 2, "test-resubscribe-message-id": 4}


def before_agent_callback(callback_context: CallbackContext) -> Optional[Content]:
    """Answers without a model; the longest prefix counts."""
    message_id = callback_context.variables.get("a2a_message_id", "")
    time.sleep(found(DELAYS, message_id, 0))
    state, question = found(STATES, message_id, ("", ""))
    set_variable("a2a_task_state", state)
    payload = found(PAYLOADS, message_id, None)
    if payload is not None:
        return Content(parts=[Part.from_json(json.dumps(payload))], role="model")
    words = [question] if question else found(TEXTS, message_id, ["Hello from TCK"])
    return Content(parts=[Part.from_text(word) for word in words], role="model")


def found(table, message_id, otherwise):
    prefixes = sorted((prefix for prefix in table if message_id.startswith(prefix)), key=len)
    return table[prefixes[-1]] if prefixes else otherwise
