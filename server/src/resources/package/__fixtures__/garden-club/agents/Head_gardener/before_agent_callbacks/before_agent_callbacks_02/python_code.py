def before_agent_callback(callback_context: CallbackContext) -> Optional[Content]:
    callback_context.state["zone"] = "mild"