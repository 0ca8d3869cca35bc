def fake_tool_call(tool, input, callback_context):
    return {"name": "thyme"}
