import re
from typing import Optional


def before_agent_callback(callback_context: CallbackContext) -> Optional[Content]:
    """Keeps the order number of the customer's message in a variable. Runs on every turn of this agent and never answers itself."""
    said = " ".join(part.text_or_transcript() or "" for part in callback_context.get_last_user_input())
    found = re.search(r"\b([A-Za-z])[- ]?(\d{4})\b", said)
    if found:
        callback_context.state["last_order_id"] = f"{found.group(1).upper()}-{found.group(2)}"
    return None
