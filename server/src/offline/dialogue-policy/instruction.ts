import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** When a rule of the instruction applies: at the start, at the end, for requests out of scope, or for the subject in its context. */
export type Occasion = "greeting" | "farewell" | "otherwise" | "subject";

/** One rule of an instruction: a step of the task flow, or a line of prose. */
export interface InstructionRule {
  readonly occasion: Occasion;
  /** Heading, step name and trigger: what the user must be about for the rule to apply. */
  readonly context: string;
  /** Sentences that the agent must use verbatim. */
  readonly sentences: readonly string[];
  readonly tools: readonly string[];
  readonly agents: readonly string[];
  /** Whether the rule has a condition in prose. */
  readonly conditional: boolean;
}

/** The parts of an instruction that rules can follow. */
export interface Instruction {
  readonly rules: readonly InstructionRule[];
  /** Names of its subtasks and sections: what the agent is for. */
  readonly topics: readonly string[];
}

/** Reads the conventions of instructions (TURN-32, TURN-36): steps with trigger and action, references, quoted sentences, headings. */
export function readInstruction(whole: string): Instruction {
  const text = whole.slice(0, MAX_LENGTH);
  const { steps, rest } = splitSteps(text);
  const prose = ["examples", "persona", "role"].reduce(withoutElement, rest);
  return { rules: [...steps, ...proseRules(prose)].filter(isUseful), topics: topicsOf(text) };
}

/** Characters that are read: twenty times a long instruction. */
const MAX_LENGTH = 100_000;

/** The steps of the task flow, and the text without them. An opening tag without its end is prose. */
function splitSteps(text: string): { readonly steps: readonly InstructionRule[]; readonly rest: string } {
  const [before = "", ...chunks] = text.split(/(?=<step\b)/);
  const parts = chunks.map((chunk) => ({ chunk, tag: chunk.indexOf(">"), end: chunk.indexOf("</step>") }));
  const steps = parts.flatMap(({ chunk, tag, end }) =>
    end > tag ? [stepRule(chunk.slice(0, tag), chunk.slice(tag + 1, end))] : [],
  );
  const between = parts.map(({ chunk, tag, end }) => (end > tag ? chunk.slice(end + "</step>".length) : chunk));
  return { steps, rest: before + between.join("") };
}

/** Removes the elements of a tag from a text. */
function withoutElement(text: string, tag: string): string {
  const [before = "", ...chunks] = text.split(`<${tag}>`);
  return before + chunks.map((chunk) => chunk.slice(Math.max(chunk.indexOf(`</${tag}>`), 0))).join("");
}

/** A sentence of the instruction with the session's variables put in; variables that the app does not declare stay as written. */
export function withVariables(sentence: string, state: JsonObject): string {
  return sentence
    .replace(/\{\{\s*([\w.]+)\s*\}\}|\{(\w+)\}/g, (placeholder, path?: string, name?: string) => {
      const value = (path ?? name ?? "")
        .split(".")
        .reduce<JsonValue | undefined>((at, key) => (isJsonObject(at) ? at[key] : undefined), state);
      if (value === undefined || value === null) return placeholder;
      return typeof value === "object" ? JSON.stringify(value) : String(value);
    })
    .replace(/(?<!\s)\s+(?=[,.!?])/g, "")
    .trim();
}

/** The quoted sentences after a verb such as "say" or "reply with". Templates with gaps ("[order number]") are excluded. */
export function verbatimSentencesIn(text: string): readonly string[] {
  const directive =
    /\b(?:say|saying|says|repl(?:y|ies)|respond|answer|greet|ask|tell|state|use|write|send|message|phrase|close|apologi[sz]e)\b[^"“”\n.]{0,100}["“]([^"”]{2,400})["”]/gi;
  return [...text.matchAll(directive)]
    .map((match) => (match[1] ?? "").replace(/\s+/g, " ").trim())
    .filter((sentence) => !/[[\]<>]/.test(sentence));
}

function stepRule(attributes: string, body: string): InstructionRule {
  const trigger = elementIn(body, "trigger");
  const action = elementIn(body, "action")?.content ?? (trigger ? trigger.before + trigger.after : body);
  return ruleOf(`${attributeName(attributes)} ${trigger?.content ?? ""}`, action);
}

/** The first element of a tag, and the text around it. */
function elementIn(text: string, tag: string) {
  const start = text.indexOf(`<${tag}>`);
  const end = start < 0 ? -1 : text.indexOf(`</${tag}>`, start);
  if (end < 0) return undefined;
  const [open, close] = [tag.length + 2, tag.length + 3];
  return { before: text.slice(0, start), content: text.slice(start + open, end), after: text.slice(end + close) };
}

/** Each line of prose is a rule under its nearest heading. */
function proseRules(prose: string): readonly InstructionRule[] {
  let heading = "";
  return prose.split("\n").flatMap((line) => {
    const title = /^[ \t]*#+[ \t]+(.+)$/.exec(line)?.[1] ?? /^\s*<subtask\b([^<>]*)>/.exec(line)?.[1];
    if (title === undefined && !MAY_BE_USEFUL.test(heading + line)) return [];
    if (title === undefined)
      return [ruleOf(`${heading} ${line.replace(/["“][^"“”]*["”]/g, " ").replace(/<[^<>]*>/g, " ")}`, line)];
    heading = title.includes("=") ? attributeName(title) : title;
    return [];
  });
}

/** Every useful rule quotes a sentence or refers to a tool or an agent. */
const MAY_BE_USEFUL = /["“]|\{@/;

function ruleOf(context: string, action: string): InstructionRule {
  const references = (kind: string) => {
    const pattern = new RegExp(`\\{@${kind}:([^{}]+)\\}`, "gi");
    return [...new Set([...`${context} ${action}`.matchAll(pattern)].flatMap((match) => match[1]?.trim() || []))];
  };
  const bare = context.replace(/\{@[^{}]*\}/g, " ");
  return {
    occasion: occasionOf(bare),
    context: bare,
    sentences: verbatimSentencesIn(action),
    tools: references("TOOL"),
    agents: references("AGENT"),
    conditional: /\b(?:if|unless|otherwise|depending|when)\b/i.test(action),
  };
}

function occasionOf(context: string): Occasion {
  if (
    /\b(?:other than|otherwise|anything else|something else|unrelated|off-?topic|out of scope|none of)\b/i.test(context)
  )
    return "otherwise";
  if (
    /\b(?:greet\w*|welcom\w*|session starts?|conversation (?:starts|begins)|start of the (?:session|conversation|call|chat))\b/i.test(
      context,
    )
  )
    return "greeting";
  if (
    /\b(?:farewell|good-?bye|says? bye|end of the (?:session|conversation|call|chat)|wrap(?:s|ping)? up)\b/i.test(
      context,
    )
  )
    return "farewell";
  return "subject";
}

function isUseful(rule: InstructionRule): boolean {
  return rule.sentences.length + rule.tools.length + rule.agents.length > 0;
}

/** Section names about the agent's behaviour instead of its topics. */
const GENERIC_TOPIC =
  /^(?:.*\b(?:role|persona|goals?|constraints?|task ?flow|examples?|instructions?|tone|guidelines?|style|rules?|greetings?|farewell|goodbye|general|overview|context|language|format|output|tools?|escalation|fallback|other|ending|conversation|session)\b.*)$/i;

function topicsOf(text: string): readonly string[] {
  const subtasks = [...text.matchAll(/<subtask\b([^<>]*)>/g)].map((match) => attributeName(match[1] ?? ""));
  const headings = [...text.matchAll(/^[ \t]*#+[ \t]+(.+)$/gm)].map((match) => match[1] ?? "");
  const titles = [...subtasks, ...headings].map((title) => title.replace(/[*_`:]/g, " ").trim());
  return [...new Set(titles)].filter((title) => title !== "" && !GENERIC_TOPIC.test(title));
}

/** The `name` attribute of a tag; identifiers are split into words. */
function attributeName(attributes: string): string {
  return (/name\s*=\s*["']([^"']*)["']/.exec(attributes)?.[1] ?? "").replace(/[_-]+/g, " ");
}
