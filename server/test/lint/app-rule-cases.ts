import { CALLBACK_FILE, type Changes, INSTRUCTION, json, TOOL } from "./clean-app.ts";
import {
  added,
  app,
  HELPER_INSTRUCTION,
  INSTRUCTION_FILE,
  instruction,
  LOOK_UP_FILE,
  NAMELESS,
  PYTHON,
  REFERENCE,
  ROOT_FILE,
  ROOTLESS,
  type RuleCase,
  root,
  tool,
} from "./rule-case.ts";

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

const ALONE = { "agents/Alone/Alone.json": json({ name: "alone", displayName: "Alone", childAgents: ["Below"] }) };
const BELOW = { "agents/Below/Below.json": json({ name: "below", displayName: "Below" }) };
const circle = (back: string): Changes =>
  root({
    transferRules: [
      ["PARENT_TO_CHILD", "count > 2"],
      ["CHILD_TO_PARENT", back],
    ].map(([direction, expression]) => ({
      childAgent: "Helper",
      direction,
      deterministicTransfer: { expressionCondition: { expression } },
    })),
  });

export const UNUSED_CASES: readonly RuleCase[] = [
  {
    rule: "P006",
    breaks: {
      ...BELOW,
      "agents/Alone/Alone.json": json({ name: "alone", displayName: "Alone" }),
      ...rootLists("Below"),
    },
    at: "agents/Alone/Alone.json:3",
    keeps: { ...ALONE, ...BELOW, ...added("Else {@AGENT: Alone}.") },
  },
  {
    rule: "P007",
    breaks: { "guardrails/A/A.json": json({ name: "a", displayName: "A", modelSafety: {} }) },
    at: "guardrails/A/A.json:3",
    keeps: {
      "guardrails/A/A.json": json({ name: "a", displayName: "A", modelSafety: {} }),
      ...app({ guardrails: ["A"] }),
    },
  },
  { rule: "P008", breaks: circle("count>2"), at: `${ROOT_FILE}:27`, keeps: circle("count <= 2") },
];

function rootLists(child: string): Changes {
  return root({ childAgents: ["Helper", child] });
}
