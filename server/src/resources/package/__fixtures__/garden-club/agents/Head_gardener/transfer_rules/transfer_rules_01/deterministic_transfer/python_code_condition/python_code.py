def should_trigger_transfer_callback(callback_context: CallbackContext) -> bool:
    return "rose" in callback_context.state
