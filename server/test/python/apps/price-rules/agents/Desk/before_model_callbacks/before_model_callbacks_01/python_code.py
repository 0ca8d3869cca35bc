def before_model_callback(callback_context: CallbackContext, llm_request: LlmRequest) -> Optional[LlmResponse]:
    """Answers a user who only says bye, without the model."""
    said = [spoken(part) for part in callback_context.get_last_user_input()]
    if not any(word.strip().lower() == "bye" for word in said if word):
        return None
    return LlmResponse.from_parts(parts=[Part.from_text(text="Bye."), Part.from_end_session(reason="said bye")])


def spoken(part):
    return part.text_or_transcript() if hasattr(part, "text_or_transcript") else getattr(part, "text", None)
