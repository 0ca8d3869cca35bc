from typing import Any, Optional


def after_tool_callback(tool: Tool, input: dict[str, Any], callback_context: CallbackContext, tool_response: dict) -> Optional[dict]:
    """Counts the look-ups that found an order; the result goes to the model unchanged."""
    result = tool_response.get("result", tool_response)
    if tool.name == "look_up_order" and isinstance(result, dict) and "error" not in result:
        callback_context.state["lookup_count"] = callback_context.state.get("lookup_count", 0) + 1
        callback_context.state["last_topic"] = f"where order {result.get('order_id')} is"
    return None
