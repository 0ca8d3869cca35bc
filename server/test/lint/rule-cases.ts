import {
  APP,
  CALLBACK,
  CALLBACK_FILE,
  type Changes,
  CLEAN,
  INSTRUCTION,
  json,
  LOOK_UP,
  ROOT,
  TOOL,
  TOOL_FILE,
} from "./clean-app.ts";

/** The smallest changes of the clean app that break a rule, and similar ones that do not. */
export interface RuleCase {
  readonly rule: string;
  readonly breaks: Changes;
  /** File and line of the finding. */
  readonly at: string;
  readonly keeps: Changes;
  /** What a fix makes of the file of the finding. */
  readonly fixed?: string;
}

const ROOT_FILE = "agents/Root/Root.json";
const INSTRUCTION_FILE = "agents/Root/instruction.txt";
const LOOK_UP_FILE = "tools/look_up/look_up.json";

const app = (fields: object): Changes => ({ "app.json": json({ ...APP, ...fields }) });
const root = (fields: object): Changes => ({ [ROOT_FILE]: json({ ...ROOT, ...fields }) });
const tool = (fields: object): Changes => ({ [LOOK_UP_FILE]: json({ ...LOOK_UP, ...fields }) });
const instruction = (from: string, to: string): Changes => ({ [INSTRUCTION_FILE]: INSTRUCTION.replace(from, to) });
const added = (text: string): Changes => ({ [INSTRUCTION_FILE]: INSTRUCTION + text });
const callback = (from: string, to: string): Changes => ({ [CALLBACK_FILE]: CALLBACK.replace(from, to) });
const code = (from: string, to: string): Changes => ({ [TOOL_FILE]: TOOL.replace(from, to) });

const { name: _name, ...NAMELESS } = ROOT;
const { rootAgent: _root, ...ROOTLESS } = APP;
const HELPER_INSTRUCTION = CLEAN["agents/Helper/instruction.txt"];
const REFERENCE = "Call {@TOOL: look_up}";
const PYTHON = LOOK_UP.pythonFunction;

export const CONFIG_CASES: readonly RuleCase[] = [
  {
    rule: "A001",
    breaks: { [LOOK_UP_FILE]: '{\n  "displayName": "look_up"\n  "x": 1 }' },
    at: `${LOOK_UP_FILE}:3`,
    keeps: {},
  },
  {
    rule: "A001",
    breaks: { [LOOK_UP_FILE]: "[".repeat(100_000) },
    at: `${LOOK_UP_FILE}:1`,
    keeps: {},
  },
  { rule: "A002", breaks: { [ROOT_FILE]: json(NAMELESS) }, at: `${ROOT_FILE}:1`, keeps: root({ name: "any" }) },
  {
    rule: "A003",
    breaks: root({ tools: ["end_session", "look_up", "loook_up"] }),
    at: `${ROOT_FILE}:8`,
    keeps: root({ tools: ["end_session", "look_up", "customize_response"] }),
  },
  {
    rule: "A004",
    breaks: { [INSTRUCTION_FILE]: undefined },
    at: `${ROOT_FILE}:4`,
    keeps: {
      [INSTRUCTION_FILE]: undefined,
      "agents/Root/text.txt": "x",
      ...root({ instruction: "agents/Root/text.txt" }),
    },
  },
  { rule: "A005", breaks: root({ tools: ["look_up"] }), at: `${ROOT_FILE}:5`, keeps: {} },
  { rule: "A006", breaks: app({ rootAgent: "Rot" }), at: "app.json:4", keeps: app({ rootAgent: "Helper" }) },
  {
    rule: "A006",
    breaks: { "app.json": json({ ...ROOTLESS, root_agent: "Root" }) },
    at: "app.json:33",
    keeps: {},
    fixed: json({ ...ROOTLESS, rootAgent: "Root" }),
  },
];

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

export const INSTRUCTION_CASES: readonly RuleCase[] = [
  {
    rule: "I001",
    breaks: instruction("<role>", "<rolle>"),
    at: `${INSTRUCTION_FILE}:1`,
    keeps: instruction("<role>", '<role id="x">'),
  },
  {
    rule: "I002",
    breaks: {
      [INSTRUCTION_FILE]: INSTRUCTION.replace(/<taskflow>[\s\S]*<\/taskflow>/, "<taskflow>look_up</taskflow>"),
    },
    at: `${INSTRUCTION_FILE}:3`,
    keeps: instruction("<subtask", "<subtask "),
  },
  {
    rule: "I003",
    breaks: added("IF a, b ELSE c.\n".repeat(3)),
    at: `${INSTRUCTION_FILE}:9`,
    keeps: added("IF a, b ELSE c.\n".repeat(2)),
  },
  {
    rule: "I004",
    breaks: instruction("The customer asks", "The customer does not ask"),
    at: `${INSTRUCTION_FILE}:5`,
    keeps: added("Do not guess.\n"),
  },
  {
    rule: "I005",
    breaks: added("<conditional_logic>\n"),
    at: `${INSTRUCTION_FILE}:9`,
    keeps: added("conditional logic\n"),
  },
  {
    rule: "I006",
    breaks: added("It costs $12.50.\n"),
    at: `${INSTRUCTION_FILE}:9`,
    keeps: added("{x} $price 2026-11-22\n"),
  },
  {
    rule: "I007",
    breaks: added("word ".repeat(3000)),
    at: `${INSTRUCTION_FILE}:1`,
    keeps: { ...added("word ".repeat(3000)), "cxaslint.yaml": "options: {I007: {max_words: 4000}}" },
  },
  { rule: "I008", breaks: added("{@AGENT: Nobody}\n"), at: `${INSTRUCTION_FILE}:9`, keeps: added("{@AGENT: Root}\n") },
  { rule: "I009", breaks: added("{@TOOL: nothing}\n"), at: `${INSTRUCTION_FILE}:9`, keeps: added("{@TOOL:look_up}\n") },
  {
    rule: "I010",
    breaks: instruction("{@AGENT: Helper}", "$" + "{AGENT: Helper}"),
    at: `${INSTRUCTION_FILE}:6`,
    keeps: {},
    fixed: INSTRUCTION,
  },
  {
    rule: "I011",
    breaks: instruction(REFERENCE, "Call {TOOL:look_up}"),
    at: `${INSTRUCTION_FILE}:6`,
    keeps: {},
    fixed: INSTRUCTION,
  },
  {
    rule: "I012",
    breaks: instruction(REFERENCE, "Look"),
    at: `${ROOT_FILE}:7`,
    keeps: instruction(REFERENCE, "Call look_up"),
  },
  {
    rule: "I013",
    breaks: root({ tools: ["end_session"] }),
    at: `${INSTRUCTION_FILE}:6`,
    keeps: {},
  },
  {
    rule: "I014",
    breaks: { "global_instruction.txt": "Be brief." },
    at: "agents/Helper/instruction.txt:1",
    keeps: { "global_instruction.txt": "It is {{current_date}}." },
  },
  {
    rule: "I015",
    breaks: added("<Persona>x</Persona>\n"),
    at: `${INSTRUCTION_FILE}:9`,
    keeps: added("<context>x</context>\n"),
  },
  {
    rule: "I016",
    breaks: added("If it fails, go to step Three. If that fails, jump to step Four. Otherwise go back to step One.\n"),
    at: `${INSTRUCTION_FILE}:9`,
    keeps: added("Proceed to subtask conclusion. STOP.\n"),
  },
  {
    rule: "I016",
    breaks: added("Add one to {retries}.\n"),
    at: `${INSTRUCTION_FILE}:9`,
    keeps: added("<inline_example>\nAdd one to {retries}.\n</inline_example>\n"),
  },
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

export const STRUCTURE_CASES: readonly RuleCase[] = [
  {
    rule: "S002",
    breaks: { "agents/Helper/instruction.txt": `${HELPER_INSTRUCTION}Use look_up.\n` },
    at: "agents/Helper/instruction.txt:9",
    keeps: { "agents/Helper/instruction.txt": `${HELPER_INSTRUCTION}Use a_look_up and {@TOOL: look_up}.\n` },
  },
  {
    rule: "S003",
    breaks: { [CALLBACK_FILE]: undefined },
    at: `${ROOT_FILE}:14`,
    keeps: root({ beforeModelCallbacks: [] }),
  },
  { rule: "S004", breaks: root({ childAgents: ["Halper"] }), at: `${ROOT_FILE}:10`, keeps: root({ childAgents: [] }) },
  {
    rule: "S005",
    breaks: { ...root({ instruction: "text.txt" }), "text.txt": INSTRUCTION },
    at: `${ROOT_FILE}:4`,
    keeps: { ...root({ instruction: "agents/Root/text.txt" }), "agents/Root/text.txt": INSTRUCTION },
  },
  {
    rule: "S006",
    breaks: { ...tool({ pythonFunction: { ...PYTHON, pythonCode: "look_up.py" } }), "look_up.py": TOOL },
    at: `${LOOK_UP_FILE}:5`,
    keeps: { ...tool({ pythonFunction: { ...PYTHON, pythonCode: "tools/look_up/a.py" } }), "tools/look_up/a.py": TOOL },
  },
  {
    rule: "S007",
    breaks: {
      "agents/Other/Other.json": json({ name: "other", displayName: "Other", childAgents: ["Helper"] }),
    },
    at: `${ROOT_FILE}:10`,
    keeps: { "agents/Other/Other.json": json({ name: "other", displayName: "Other", childAgents: ["Root"] }) },
  },
  {
    rule: "S008",
    breaks: {
      "guardrails/A/A.json": json({ name: "a", displayName: "A", llmPromptSecurity: {} }),
      "guardrails/B/B.json": json({ name: "b", displayName: "B", llmPromptSecurity: {} }),
    },
    at: "guardrails/B/B.json:4",
    keeps: { "guardrails/A/A.json": json({ name: "a", displayName: "A", llmPromptSecurity: {} }) },
  },
];

const GOLDEN = `conversations:
  - conversation: One
    session_parameters: {order_id: A-1}
    turns:
      - user: Where is it?
        agent: [It is, shipped]
        tool_calls:
          - action: look_up
            args: {order_id: {$matchType: semantic, $matchValue: x}}
`;
const GOLDEN_FILE = "evals/goldens/one.yaml";
const golden = (from: string, to: string): Changes => ({ [GOLDEN_FILE]: GOLDEN.replace(from, to) });
const file = (path: string, text: string): Changes => ({ [path]: text });
const EVALUATION_FILE = "evaluations/One/One.json";
const evaluation = (fields: object): Changes => ({
  [EVALUATION_FILE]: json({ name: "one", displayName: "One", ...fields }),
});

export const EVALUATION_CASES: readonly RuleCase[] = [
  { rule: "E001", breaks: golden("turns:", "turns: ["), at: `${GOLDEN_FILE}:5`, keeps: golden("", "") },
  {
    rule: "E002",
    breaks: file(GOLDEN_FILE, "conversation: []"),
    at: `${GOLDEN_FILE}:1`,
    keeps: file(GOLDEN_FILE, "displayName: One\ngolden: {turns: []}"),
  },
  { rule: "E003", breaks: golden("look_up", "find"), at: `${GOLDEN_FILE}:8`, keeps: golden("look_up", "end_session") },
  {
    rule: "E004",
    breaks: golden("order_id: A-1", "order: A-1"),
    at: `${GOLDEN_FILE}:3`,
    keeps: golden("order_id: A-1", "current_date: 2026-11-22"),
  },
  {
    rule: "E005",
    breaks: golden("agent: [", "user: Again\n        agent: ["),
    at: `${GOLDEN_FILE}:6`,
    keeps: golden("turns:", "tags: [P0]\n    turns:"),
  },
  {
    rule: "E006",
    breaks: golden("    session_parameters: {order_id: A-1}\n", ""),
    at: `${GOLDEN_FILE}:2`,
    keeps: file(
      GOLDEN_FILE,
      `common_session_parameters: {count: 1}\n${GOLDEN.replace("    session_parameters: {order_id: A-1}\n", "")}`,
    ),
  },
  {
    rule: "E007",
    breaks: golden("[It is, shipped]", "{text: It}"),
    at: `${GOLDEN_FILE}:6`,
    keeps: golden("[It is, shipped]", "It is"),
  },
  {
    rule: "E008",
    breaks: golden("        agent: [It is, shipped]\n", ""),
    at: `${GOLDEN_FILE}:5`,
    keeps: file(
      "evals/turns.yaml",
      "conversations:\n  - conversation: a\n    turns:\n      - user: Hi\n        expectations: []\n",
    ),
  },
  {
    rule: "E009",
    breaks: file("evals/simulations/a.yaml", "evals:\n  - name: a\n    steps: []\n"),
    at: "evals/simulations/a.yaml:2",
    keeps: file("evals/simulations/a.yaml", "- name: a\n  tags: [P0]\n"),
  },
  {
    rule: "E010",
    breaks: file("evals/tool_tests/a.yaml", "# Tools\ntest_cases:\n  - {name: a, tool: look_up}\n"),
    at: "evals/tool_tests/a.yaml:2",
    keeps: file("evals/turns.yaml", "test_cases:\n  - name: a\n    turns: []\n"),
    fixed: "# Tools\ntests:\n  - {name: a, tool: look_up}\n",
  },
  {
    rule: "E011",
    breaks: golden("semantic", "regex"),
    at: `${GOLDEN_FILE}:9`,
    keeps: golden("semantic", "ignore"),
    fixed: GOLDEN.replace("semantic", "regexp"),
  },
  {
    rule: "E011",
    breaks: evaluation({
      golden: { turns: [{ steps: [{ expectation: { toolCall: { args: { a: { $matchType: "exact" } } } } }] }] },
    }),
    at: `${EVALUATION_FILE}:13`,
    keeps: evaluation({ golden: { turns: [] } }),
  },
];

export const VARIABLE_CASES: readonly RuleCase[] = [
  {
    rule: "V100",
    breaks: callback('state["count"]', 'state["counts"]'),
    at: `${CALLBACK_FILE}:5`,
    keeps: callback('state["count"]', 'state["temp:x"]'),
  },
  {
    rule: "V100",
    breaks: code("if not order_id:", 'if not context.state.get("nothing"):'),
    at: `${TOOL_FILE}:3`,
    keeps: code("if not order_id:", 'if not {}.get("nothing"):'),
  },
  {
    rule: "V100",
    breaks: evaluation({ scenario: { task: "t", variableOverrides: { nothing: 1 } } }),
    at: `${EVALUATION_FILE}:7`,
    keeps: evaluation({ scenario: { task: "t", variableOverrides: { count: 1 } } }),
  },
  { rule: "V101", breaks: callback("= 1", '= "one"'), at: `${CALLBACK_FILE}:5`, keeps: callback("= 1", "= 1.5 + x") },
  {
    rule: "V102",
    breaks: callback('state["count"] = 1', 'state["customer"]["name"] = "A"'),
    at: `${CALLBACK_FILE}:5`,
    keeps: callback('state["count"] = 1', 'state["customer"]["email"] = "A"'),
  },
  {
    rule: "V102",
    breaks: added("{order_id.year}\n"),
    at: `${INSTRUCTION_FILE}:9`,
    keeps: added("{{customer.email}}\n"),
  },
  { rule: "V103", breaks: callback('state["count"] = 1', 'state["email"] = "A"'), at: `${CALLBACK_FILE}:5`, keeps: {} },
  {
    rule: "V104",
    breaks: added("{nobody}\n"),
    at: `${INSTRUCTION_FILE}:9`,
    keeps: added('{"a": 1} {% if x %} {current_date}\n'),
  },
];

const resourceFile = (folder: string, fields: object): Changes => ({
  [`${folder}/One/One.json`]: json({ name: "one", displayName: "One", ...fields }),
});

/** A value of a wrong type in each kind of manifest; fields that the definitions lack are no error. */
export const SCHEMA_CASES: readonly RuleCase[] = [
  { rule: "V001", breaks: app({ name: 3 }), at: "app.json:2", keeps: app({ timeZoneSettings: { timeZone: "UTC" } }) },
  { rule: "V002", breaks: root({ name: [] }), at: `${ROOT_FILE}:2`, keeps: root({ llmAgent: {} }) },
  { rule: "V003", breaks: tool({ name: {} }), at: `${LOOK_UP_FILE}:2`, keeps: tool({ executionType: "SYNCHRONOUS" }) },
  ...(["toolsets", "guardrails", "evaluations", "evaluationExpectations"] as const).map((folder, index) => ({
    rule: `V00${index + 4}`,
    breaks: resourceFile(folder, { description: 5 }),
    at: `${folder}/One/One.json:4`,
    keeps: resourceFile(folder, {}),
  })),
];
