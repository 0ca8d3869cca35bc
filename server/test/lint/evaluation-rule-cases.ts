import { CALLBACK_FILE, type Changes, json, TOOL_FILE } from "./clean-app.ts";
import {
  added,
  app,
  callback,
  code,
  INSTRUCTION_FILE,
  LOOK_UP_FILE,
  ROOT_FILE,
  type RuleCase,
  root,
  tool,
} from "./rule-case.ts";

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

/** A rule of ours that tests of single rules can reach, because it needs no import. */
export const PERSONAL_DATA_CASES: readonly RuleCase[] = [
  {
    rule: "P004",
    breaks: golden("It is, shipped", "Write to ada@lovelace.org"),
    at: `${GOLDEN_FILE}:6`,
    keeps: golden("It is, shipped", "Write to ada@example.com or call 212 555 0123"),
  },
  {
    rule: "P004",
    breaks: evaluation({ golden: { turns: [{ steps: [{ userInput: { text: "My card is 4539 1488 0343 6467" } }] }] } }),
    at: `${EVALUATION_FILE}:10`,
    keeps: evaluation({ golden: { turns: [{ steps: [{ userInput: { text: "It is 4111 1111 1111 1111" } }] }] } }),
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
