from typing import Optional


def after_model_callback(callback_context: CallbackContext, llm_response: LlmResponse) -> Optional[LlmResponse]:
    """Replaces the model's words when it ends the session: models often end it in silence, and an escalation needs facts."""
    parts = llm_response.content.parts if llm_response.content else []
    ending = next((part for part in parts if part.has_function_call("end_session")), None)
    if ending is None:
        return None
    args = dict(ending.function_call.args or {})
    escalated = args.get("session_escalated") in (True, "true")
    if escalated:
        args["params"] = handover(callback_context.state)
    words = "I am handing you over to a colleague now." if escalated else farewell(callback_context.state)
    calls = [part for part in parts if part.function_call and part is not ending]
    return LlmResponse.from_parts(
        parts=[*calls, Part.from_text(text=words), Part.from_function_call(name="end_session", args=args)]
    )


def farewell(state: dict) -> str:
    name = state.get("customer_name")
    return f"Thank you{', ' + name if name else ''}, and goodbye from {state.get('shop_name')}."


def handover(state: dict) -> dict:
    """What the person who takes over gets to read."""
    return {
        "ESCALATION_MESSAGE": f"Customer: {state.get('customer_name') or 'unknown'}. Last topic: {state.get('last_topic')}.",
        "order_id": state.get("last_order_id") or "",
        "return_id": state.get("last_return_id") or "",
    }
