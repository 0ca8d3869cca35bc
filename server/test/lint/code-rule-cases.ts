import { CALLBACK, CALLBACK_FILE, json, LOOK_UP, TOOL, TOOL_FILE } from "./clean-app.ts";
import { callback, code, LOOK_UP_FILE, PYTHON, type RuleCase, root, tool } from "./rule-case.ts";

const ends = (part: string) => callback("return None", `return LlmResponse.from_parts(parts=[${part}])`);

export const CALLBACK_CASES: readonly RuleCase[] = [
  {
    rule: "C001",
    breaks: callback("before_model_callback", "before_call"),
    at: `${CALLBACK_FILE}:4`,
    keeps: { [CALLBACK_FILE]: `def other() -> None:\n    pass\n\n\n${CALLBACK}` },
  },
  {
    rule: "C002",
    breaks: callback(", llm_request: LlmRequest", ""),
    at: `${CALLBACK_FILE}:4`,
    keeps: callback("llm_request: LlmRequest", "llm_request: LlmRequest, more: int = 0"),
  },
  {
    rule: "C003",
    breaks: callback("before_model_callback", "beforeModelCallback"),
    at: `${CALLBACK_FILE}:4`,
    keeps: { [CALLBACK_FILE]: `${CALLBACK}\n\ndef X() -> None:\n    pass\n` },
    fixed: CALLBACK,
  },
  {
    rule: "C004",
    breaks: callback("return None", 'return {"text": "hi"}'),
    at: `${CALLBACK_FILE}:6`,
    keeps: { [CALLBACK_FILE]: `${CALLBACK}\n\ndef table() -> dict:\n    return {"a": 1}\n` },
  },
  {
    rule: "C005",
    breaks: callback(
      "return None",
      'if any(word in said() for word in ["bye", "see you", "thanks"]):\n        return None',
    ),
    at: `${CALLBACK_FILE}:6`,
    keeps: callback("return None", 'for word in ["bye", "see you", "thanks"]:\n        print(word)'),
  },
  {
    rule: "C006",
    breaks: callback("return None", "try:\n        print()\n    except:\n        pass"),
    at: `${CALLBACK_FILE}:8`,
    keeps: callback("return None", "try:\n        print()\n    except:\n        raise"),
  },
  {
    rule: "C007",
    breaks: callback("return None", "tools.find({})"),
    at: `${CALLBACK_FILE}:6`,
    keeps: callback("return None", 'tools.look_up({"order_id": "1"})'),
  },
  {
    rule: "P005",
    breaks: { ...root({ tools: ["look_up"] }), ...ends("Part.from_end_session(reason='done')") },
    at: `${CALLBACK_FILE}:6`,
    keeps: ends("Part.from_end_session(reason='done')"),
  },
  {
    rule: "P005",
    breaks: {
      ...root({ tools: ["look_up"] }),
      ...ends("Part(function_call=FunctionCall(name='end_session', args={}))"),
    },
    at: `${CALLBACK_FILE}:6`,
    keeps: { ...root({ tools: ["look_up"] }), ...ends("Part.from_function_call('look_up', {})") },
  },
  {
    rule: "P005",
    breaks: ends("Part.from_agent_transfer('Assistant')"),
    at: `${CALLBACK_FILE}:6`,
    keeps: ends("Part.from_agent_transfer(agent='Helper')"),
  },
  {
    rule: "P005",
    breaks: ends("Part.from_function_call(name='transfer_to_agent', args={'agent': 'Assistant'})"),
    at: `${CALLBACK_FILE}:6`,
    keeps: ends("Part.from_agent_transfer(agent=callback_context.state['count'])"),
  },
  {
    rule: "C008",
    breaks: callback("from typing import Optional\n\n\n", '"""Doc."""\n'),
    at: `${CALLBACK_FILE}:2`,
    keeps: callback("from typing import Optional", "from typing import *"),
    fixed: CALLBACK.replace("from typing import Optional\n\n\n", '"""Doc."""\nfrom typing import Optional\n'),
  },
  {
    rule: "C009",
    breaks: callback("llm_request: LlmRequest", "llm_request: dict"),
    at: `${CALLBACK_FILE}:4`,
    keeps: callback("llm_request: LlmRequest", 'llm_request: "models.LlmRequest"'),
  },
  { rule: "C010", breaks: callback("return None", "return (None"), at: `${CALLBACK_FILE}:6`, keeps: {} },
];

export const TOOL_CASES: readonly RuleCase[] = [
  {
    rule: "T001",
    breaks: code(', "agent_action": "Ask for the number."', ""),
    at: `${TOOL_FILE}:4`,
    keeps: code('{"status": "shipped"}', '{"errors": 0}'),
  },
  {
    rule: "T002",
    breaks: code('    """Looks up an order."""\n', ""),
    at: `${TOOL_FILE}:1`,
    keeps: { [TOOL_FILE]: `${TOOL}\n\ndef inner() -> int:\n    return 1\n` },
  },
  { rule: "T003", breaks: code("order_id: str", "order_id"), at: `${TOOL_FILE}:1`, keeps: code("str", "int") },
  {
    rule: "T004",
    breaks: { ...code("def look_up", "def find"), ...tool({ pythonFunction: { ...PYTHON, name: "find" } }) },
    at: `${TOOL_FILE}:1`,
    keeps: { [TOOL_FILE]: `def first() -> int:\n    return 1\n\n\n${TOOL}` },
  },
  {
    rule: "T005",
    breaks: code("order_id: str", "order_id: str, session_id: str"),
    at: `${TOOL_FILE}:1`,
    keeps: code("order_id: str", "order_id: str, latest: str"),
  },
  {
    rule: "T006",
    breaks: code('{"status": "shipped"}', `{"all": [${"1, ".repeat(250)}]}`),
    at: `${TOOL_FILE}:5`,
    keeps: code('{"status": "shipped"}', `{"all": [${"1, ".repeat(50)}]}`),
  },
  { rule: "T007", breaks: tool({ name: "Look-Up" }), at: `${LOOK_UP_FILE}:2`, keeps: tool({ name: "0b7c2a10-aaaa" }) },
  {
    rule: "T008",
    breaks: {
      ...tool({}),
      "tools/spare/spare.json": json({ name: "spare", displayName: "spare", googleSearchTool: { name: "spare" } }),
    },
    at: "tools/spare/spare.json:3",
    keeps: {
      "tools/spare/spare.json": json({ name: "spare", displayName: "spare", googleSearchTool: { name: "spare" } }),
      ...callback("return None", "tools.spare({})"),
    },
  },
  {
    rule: "T009",
    breaks: code("order_id: str", "order_id: str, **rest"),
    at: `${TOOL_FILE}:1`,
    keeps: code("order_id: str", "order_id: str, *, more: int = 0"),
  },
  { rule: "T010", breaks: code("-> dict:", "-> dict"), at: `${TOOL_FILE}:1`, keeps: {} },
  {
    rule: "T011",
    breaks: code("order_id: str", "order_id: str, city: str = None"),
    at: `${TOOL_FILE}:1`,
    keeps: code("order_id: str", 'order_id: str, city: str = "None"'),
    fixed: TOOL.replace("order_id: str", 'order_id: str, city: str = ""'),
  },
  {
    rule: "T012",
    breaks: tool({ pythonFunction: { name: PYTHON.name, pythonCode: PYTHON.pythonCode } }),
    at: `${LOOK_UP_FILE}:3`,
    keeps: tool({ pythonFunction: { ...PYTHON, description: "x" } }),
    fixed: json(LOOK_UP),
  },
  { rule: "T013", breaks: { [LOOK_UP_FILE]: "[]" }, at: `${LOOK_UP_FILE}:1`, keeps: {} },
];
