def before_model_callback(callback_context: CallbackContext, llm_request: LlmRequest) -> dict:
    return {"decision": "OK", "reason": "calm"}
