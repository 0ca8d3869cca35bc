from typing import Optional


def before_model_callback(callback_context: CallbackContext, llm_request: LlmRequest) -> Optional[LlmResponse]:
    """Greets without a model call: a session that opens with the `welcome` event arrives as this fixed text."""
    for part in callback_context.get_last_user_input():
        if part.text == "<event>session start</event>":
            return LlmResponse.from_parts(parts=[Part.from_text(text=greeting(callback_context.state))])
    return None


def greeting(state: dict) -> str:
    name = state.get("customer_name")
    hello = f"Hello {name}" if name else "Hello"
    return f"{hello}, this is the order desk of {state.get('shop_name')}. Which order may I look up, or what else can I do for you?"
