from typing import Optional


def after_agent_callback(callback_context: CallbackContext) -> Optional[Content]:
    """Runs when this agent has finished its turn. Returning content here would be added to its answer."""
    return_id = callback_context.state.get("last_return_id")
    callback_context.state["last_topic"] = f"return {return_id}" if return_id else "a return that was not started yet"
    return None
