def before_agent_callback(callback_context: CallbackContext) -> Optional[Content]:
    return None
