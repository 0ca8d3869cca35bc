def fake_tool_call(tool: Tool, input: dict, callback_context: CallbackContext) -> dict:
    return {"name": "thyme"}
