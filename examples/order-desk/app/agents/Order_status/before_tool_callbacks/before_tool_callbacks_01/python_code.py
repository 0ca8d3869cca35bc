import re
from typing import Any, Optional


def before_tool_callback(tool: Tool, input: dict[str, Any], callback_context: CallbackContext) -> Optional[dict[str, Any]]:
    """Edits the order number in place and lets the tool run. Returning a dict here would stand in for the tool's result."""
    order_id = input.get("order_id")
    if isinstance(order_id, str):
        input["order_id"] = shop_spelling(order_id)
    return None


def shop_spelling(order_id: str) -> str:
    """'a1001', 'A 1001', '#1001' and '1001' are all order A-1001; anything else stays as it is."""
    found = re.fullmatch(r"\W*([A-Za-z]?)\W*(\d{4})\W*", order_id)
    if not found:
        return order_id
    return f"{(found.group(1) or 'A').upper()}-{found.group(2)}"
