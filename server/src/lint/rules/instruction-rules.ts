import { isSystemToolName } from "#resources";
import type { LintedAgent, LintedApp } from "../app/linted-app.ts";
import type { SourceText } from "../app/source-text.ts";
import type { Report, Rule, RuleOptions } from "../contract.ts";
import { proseStateMachine } from "./prose-state-machine.ts";
import { atField, atMatches, quoted } from "./report.ts";
import { wrongReferences } from "./wrong-references.ts";

const DEFAULT_MAX_WORDS = 3000;

/** I: instructions of agents. */
export const INSTRUCTION_RULES: readonly Rule[] = [
  {
    id: "I001",
    name: "required-xml-structure",
    severity: "error",
    summary: "an instruction without `<role>`, `<persona>` or `<taskflow>`",
    check: each(requiredTags),
  },
  {
    id: "I002",
    name: "taskflow-children",
    severity: "error",
    summary: "a `<taskflow>` without `<subtask>` and `<step>`",
    check: each(emptyTaskflow),
  },
  {
    id: "I003",
    name: "excessive-if-else",
    severity: "warning",
    summary: "three or more IF … ELSE",
    check: each(ifElse),
  },
  {
    id: "I004",
    name: "negative-triggers",
    severity: "warning",
    summary: "a `<trigger>` with a negative condition",
    check: each(negativeTriggers),
  },
  {
    id: "I005",
    name: "conditional-logic-block",
    severity: "warning",
    summary: "a `<conditional_logic>` block",
    check: each(conditionalLogic),
  },
  {
    id: "I006",
    name: "hardcoded-data",
    severity: "warning",
    summary: "a phone number or price; option `patterns`",
    check: each(hardcodedData),
  },
  {
    id: "I007",
    name: "instruction-too-long",
    severity: "info",
    summary: `more than ${DEFAULT_MAX_WORDS} words; option \`max_words\``,
    check: each(tooLong),
  },
  {
    id: "I008",
    name: "invalid-agent-ref",
    severity: "error",
    summary: "`{@AGENT: …}` of an agent that does not exist",
    check: each(missingAgents),
  },
  {
    id: "I009",
    name: "invalid-tool-ref",
    severity: "error",
    summary: "`{@TOOL: …}` of a tool that does not exist",
    check: each(missingTools),
  },
  {
    id: "I010",
    name: "wrong-agent-syntax",
    severity: "error",
    summary: "a reference to an agent that is not written `{@AGENT: Name}`",
    fixable: true,
    check: each(({ source, app }) =>
      wrongReferences(source, "AGENT", new Set(app.agents.map((each) => each.displayName))),
    ),
  },
  {
    id: "I011",
    name: "wrong-tool-syntax",
    severity: "error",
    summary: "a reference to a tool that is not written `{@TOOL: Name}`",
    fixable: true,
    check: each(({ source, app, agent }) =>
      wrongReferences(source, "TOOL", new Set([...app.tools.map((each) => each.displayName), ...agent.tools])),
    ),
  },
  {
    id: "I012",
    name: "unused-tool-in-config",
    severity: "warning",
    summary: "a tool in the agent's list that its instruction never mentions",
    check: each(unmentionedTools),
  },
  {
    id: "I013",
    name: "tool-not-in-config",
    severity: "error",
    summary: "`{@TOOL: …}` of a tool of the app that the agent does not list",
    check: each(unlistedTools),
  },
  {
    id: "I014",
    name: "missing-current-date",
    severity: "warning",
    summary: "no `{current_date}` in the instruction and the global instruction",
    check: each(currentDate),
  },
  {
    id: "I015",
    name: "banned-legacy-xml-tags",
    severity: "error",
    summary: "a tag of the older schema, such as `<Persona>` or `<transitions>`",
    check: each(legacyTags),
  },
  {
    id: "I016",
    name: "prose-state-machine",
    severity: "warning",
    summary: "a state machine in prose; options `min_distinct_categories`, `min_total`, `min_strong_edges`",
    check: each(({ source }, options) => proseStateMachine(source, options)),
  },
];

/** An agent's instruction. */
interface Instruction {
  readonly app: LintedApp;
  readonly agent: LintedAgent;
  readonly source: SourceText;
}

function each(check: (instruction: Instruction, options: RuleOptions) => Iterable<Report>): Rule["check"] {
  return function* (app, options) {
    for (const agent of app.agents)
      if (agent.instruction) yield* check({ app, agent, source: agent.instruction }, options);
  };
}

function* requiredTags({ source }: Instruction): Iterable<Report> {
  const missing = ["role", "persona", "taskflow"].filter(
    (tag) => !new RegExp(`<${tag}(?:\\s[^>]*)?>`).test(source.text),
  );
  if (missing.length > 0)
    yield { place: source.placeAt(0), message: `has no ${missing.map((tag) => `<${tag}>`).join(", ")}` };
}

function emptyTaskflow({ source }: Instruction): Iterable<Report> {
  return atMatches(source, /<taskflow(?:\s[^>]*)?>([\s\S]*?)<\/taskflow>/g, ([, inner = ""]) =>
    /<(?:subtask|step)[\s>]/.test(inner)
      ? undefined
      : "has neither <subtask> nor <step>, so there is nothing to follow",
  );
}

function* ifElse({ source }: Instruction): Iterable<Report> {
  const found = [...source.text.matchAll(/^.*\bIF\b(?:(?!\bIF\b)[\s\S]){0,300}?\bELSE\b/gim)];
  const [first] = found;
  if (first && found.length >= 3)
    yield {
      place: source.placeAt(first.index),
      message: `has ${found.length} IF … ELSE; move what is certain to callbacks`,
    };
}

function* negativeTriggers({ source }: Instruction): Iterable<Report> {
  yield* atMatches(source, /<trigger>[\s\S]*?<\/trigger>/g, ([text]) =>
    /\bNOT\b|\b(?:is|are|does|do|has|have) not\b|\b(?:isn't|aren't|doesn't|don't|hasn't|haven't)\b|\bnot (?:an?|the)\b/.test(
      text,
    )
      ? "a negative condition; say when the step applies, and give the other case a step of its own"
      : undefined,
  );
}

function conditionalLogic({ source }: Instruction): Iterable<Report> {
  return atMatches(
    source,
    /<conditional_logic[\s>]/g,
    () => "use steps with triggers of their own instead of <conditional_logic>",
  );
}

/** Phone numbers and dollar amounts. */
const HARDCODED = [
  "(?<![\\w-])(?:\\+?1[-. ]?)?\\(?\\d{3}\\)?[-. ]\\d{3}[-. ]\\d{4}(?![\\w-])",
  "\\$\\d+(?:,\\d{3})*(?:\\.\\d{2})?(?!\\w)",
];

function* hardcodedData({ source }: Instruction, { patterns }: RuleOptions): Iterable<Report> {
  const own = Array.isArray(patterns) ? patterns.filter((each) => typeof each === "string") : HARDCODED;
  for (const pattern of own) {
    const expression = compiled(pattern);
    if (typeof expression === "string") yield { place: source.placeAt(0), message: expression };
    else yield* atMatches(source, expression, ([text]) => `'${text}' can change; let a tool or a variable give it`);
  }
}

function compiled(pattern: string): RegExp | string {
  try {
    return new RegExp(pattern, "g");
  } catch (error) {
    return `options.I006.patterns: ${(error as Error).message}`;
  }
}

function* tooLong({ source }: Instruction, { max_words: limit }: RuleOptions): Iterable<Report> {
  const most = typeof limit === "number" ? limit : DEFAULT_MAX_WORDS;
  const words = source.text.match(/\S+/g)?.length ?? 0;
  if (words > most)
    yield { place: source.placeAt(0), message: `has ${words} words, more than ${most}; split the agent` };
}

const AGENT_REFERENCE = /\{@AGENT:([^{}]*)\}/gi;
const TOOL_REFERENCE = /\{@TOOL:([^{}]*)\}/gi;

/** Reports references by the name in them. The expressions take no white space apart: that would take the square of a long run of it. */
function atReferences(
  source: SourceText,
  pattern: RegExp,
  message: (name: string) => string | undefined,
): Iterable<Report> {
  return atMatches(source, pattern, ([, name = ""]) => message(name.trim()));
}

function missingAgents({ app, source }: Instruction): Iterable<Report> {
  const known = app.agents.map(({ displayName }) => displayName);
  return atReferences(source, AGENT_REFERENCE, (name) =>
    known.includes(name) ? undefined : `'${name}' is no agent of this app; its agents are ${quoted(known)}`,
  );
}

function missingTools({ app, agent, source }: Instruction): Iterable<Report> {
  const known = app.tools.map(({ displayName }) => displayName);
  return atReferences(source, TOOL_REFERENCE, (name) =>
    known.includes(name) || agent.tools.includes(name) || isSystemToolName(name) || isOfToolset(app, name)
      ? undefined
      : `'${name}' is no tool of this app; its tools are ${quoted(known)}`,
  );
}

function unlistedTools({ app, agent, source }: Instruction): Iterable<Report> {
  const known = app.tools.map(({ displayName }) => displayName);
  return atReferences(source, TOOL_REFERENCE, (name) => {
    if (agent.tools.includes(name) || agent.toolsets.some((toolset) => belongs(toolset, name))) return undefined;
    return known.includes(name) || isSystemToolName(name) || isOfToolset(app, name)
      ? `'${name}' is not in the tools of '${agent.displayName}'; list it, or remove the reference`
      : undefined;
  });
}

function isOfToolset({ toolsets }: LintedApp, name: string): boolean {
  return toolsets.some(({ displayName }) => belongs(displayName, name));
}

/** Whether a name is one of a toolset's operations: `<toolset>_<operation>`. */
function belongs(toolset: string, name: string): boolean {
  return name.startsWith(`${toolset}_`) || name.startsWith(`${toolset.replaceAll("-", "_")}_`);
}

function* unmentionedTools({ agent, source }: Instruction): Iterable<Report> {
  for (const [index, name] of agent.tools.entries()) {
    if (source.text.includes(name)) continue;
    yield atField(
      agent,
      ["tools", index],
      `the instruction never mentions '${name}': write {@TOOL: ${name}}, or remove it`,
    );
  }
}

function* currentDate({ app, source }: Instruction): Iterable<Report> {
  if (source.text.includes("current_date") || app.globalInstruction?.text.includes("current_date")) return;
  yield { place: source.placeAt(0), message: "does not mention {current_date}, so the model does not know the date" };
}

function legacyTags({ source }: Instruction): Iterable<Report> {
  const tags =
    /<\/?(Agent|Conversation_Schema|Persona|Role|General_Instruction|Context|state|transitions|transition)(?:\s[^>]*)?>/g;
  return atMatches(source, tags, ([text, tag]) =>
    text.startsWith("</")
      ? undefined
      : `<${tag}> is of an older schema; use <role>, <persona>, <taskflow>, <subtask>, <step>`,
  );
}
