import { type JsonObject, textOrJson } from "#base";
import { type Condition, parseCondition, valueAt } from "./instruction-condition.ts";

/** An instruction read once: plain text, places for static variables, and blocks that depend on a condition. */
export interface InstructionTemplate {
  readonly segments: readonly Segment[];
  /** Variables written `{name}`: they stay in the prompt, and the conversation has their values (TURN-34). */
  readonly dynamicNames: readonly string[];
  /** What of it cannot be read: shown in the trace. */
  readonly problems: readonly string[];
}

type Segment =
  | { readonly kind: "text"; readonly text: string }
  /** `{{path}}`: `source` is shown while the variable has no value. */
  | { readonly kind: "static"; readonly path: readonly string[]; readonly source: string }
  /** `{% if … %}`: the first branch whose condition holds. */
  | { readonly kind: "if"; readonly branches: readonly Branch[] };

interface Branch {
  readonly holds: Condition;
  readonly segments: readonly Segment[];
}

/** One of `{{path}}`, `{@AGENT: name}` (also TOOL and WIDGET, in any case: TURN-32), `{name}`. */
const REFERENCE =
  /\{\{\s*([a-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}|\{@(?:AGENT|TOOL|WIDGET):([^{}]+)\}|\{([a-z_][\w-]*)(?:\.[\w-]+)*\}/gi;

/**
 * Reads an instruction. Resource references become the bare name under which the model knows the thing; names that are not
 * declared are left as they are.
 */
export function parseInstruction(text: string, isDeclared: (name: string) => boolean): InstructionTemplate {
  const dynamicNames = new Set<string>();
  const problems: string[] = [];
  const segments = parseBlocks(text, (plain) => parseReferences(plain, isDeclared, dynamicNames), problems);
  return { segments, dynamicNames: [...dynamicNames], problems };
}

/** What of an instruction cannot be read, one sentence each (TURN-53). */
export function instructionProblems(text: string): readonly string[] {
  return parseInstruction(text, () => false).problems;
}

/** The display names in the `{@AGENT: name}` references of an instruction. */
export function agentReferences(text: string): readonly string[] {
  return [...text.matchAll(/\{@AGENT:([^{}]+)\}/gi)].flatMap(([, name = ""]) => name.trim() || []);
}

/** Several instructions as one, a blank line between them (TURN-38). Each is read by itself: an open block of one cannot swallow the next. */
export function joinTemplates(templates: readonly InstructionTemplate[]): InstructionTemplate {
  const gap: Segment = { kind: "text", text: "\n\n" };
  return {
    segments: mergeTexts(templates.flatMap(({ segments }, position) => (position > 0 ? [gap, ...segments] : segments))),
    dynamicNames: [...new Set(templates.flatMap(({ dynamicNames }) => dynamicNames))],
    problems: templates.flatMap(({ problems }) => problems),
  };
}

function mergeTexts(segments: readonly Segment[]): readonly Segment[] {
  const merged: Segment[] = [];
  for (const segment of segments) {
    const last = merged.at(-1);
    if (last?.kind === "text" && segment.kind === "text") {
      merged[merged.length - 1] = { kind: "text", text: last.text + segment.text };
    } else merged.push(segment);
  }
  return merged;
}

function parseReferences(
  text: string,
  isDeclared: (name: string) => boolean,
  dynamicNames: Set<string>,
): readonly Segment[] {
  const segments: Segment[] = [];
  let plain = "";
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const [source, path, reference, dynamic] = match;
    plain += text.slice(end, match.index);
    end = match.index + source.length;
    const names = path?.split(".") ?? [];
    if (names[0] !== undefined && isDeclared(names[0])) {
      if (plain) segments.push({ kind: "text", text: plain });
      segments.push({ kind: "static", path: names, source });
      plain = "";
      continue;
    }
    if (dynamic !== undefined && isDeclared(dynamic)) dynamicNames.add(dynamic);
    plain += reference?.trim() || source;
  }
  plain += text.slice(end);
  if (plain) segments.push({ kind: "text", text: plain });
  return segments;
}

/** Whether the instruction reads the same whatever the variables are. */
export function isConstant({ segments }: InstructionTemplate): boolean {
  return segments.every(({ kind }) => kind === "text");
}

/** The instruction with the static variables' present values (TURN-33); a missing or null one leaves its placeholder. */
export function renderInstruction({ segments }: Pick<InstructionTemplate, "segments">, variables: JsonObject): string {
  let text = "";
  for (const segment of segments) text += renderSegment(segment, variables);
  return text;
}

function renderSegment(segment: Segment, variables: JsonObject): string {
  if (segment.kind === "text") return segment.text;
  if (segment.kind === "static") return textAt(variables, segment.path) ?? segment.source;
  const branch = segment.branches.find(({ holds }) => holds(variables));
  return branch ? renderInstruction(branch, variables) : "";
}

/** A prompt with the present values of `{name}` and `{{name}}` in it; placeholders without a value stay as they are. */
export function substituteVariables(text: string, variables: JsonObject): string {
  return text.replaceAll(
    /\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}|\{([A-Za-z_][\w-]*(?:\.[\w-]+)*)\}/g,
    (source: string, double: string | undefined, single: string | undefined) =>
      textAt(variables, (double ?? single ?? "").split(".")) ?? source,
  );
}

function textAt(variables: JsonObject, path: readonly string[]): string | undefined {
  const value = valueAt(variables, path);
  return value === undefined || value === null ? undefined : textOrJson(value);
}

/** `{% if … %}`, `{% elif … %}`, `{% else %}`, `{% endif %}`; one that has a line for itself takes the line with it. */
const TAG = /(?:^[ \t]*)?\{%-?\s*(?:(if|elif|elsif)\s([^%]*)|(else|endif)\s*-?)%\}(?:[ \t]*$\n?)?/gm;

/** Blocks in one another, at most: they are shown by recursion. */
const MAX_LEVELS = 100;
/** Blocks of one instruction, at most. */
const MAX_BLOCKS = 1_000;

/** A block that is not closed yet. */
interface OpenBlock {
  readonly branches: Branch[];
  condition: Condition;
  segments: Segment[];
}

/**
 * Reads the conditional blocks of an instruction; `parsePlain` reads the text between them. Blocks that do not match
 * are left in the text as they are, and the block of a condition that cannot be parsed is always included: text too much in a
 * prompt is noticed, a part that is missing is not.
 */
function parseBlocks(
  text: string,
  parsePlain: (text: string) => readonly Segment[],
  problems: string[],
): readonly Segment[] {
  if (!text.includes("{%")) return parsePlain(text);
  const found: string[] = [];
  const segments = readBlocks(text, parsePlain, found);
  problems.push(...found, ...otherTags(text));
  if (segments) return segments;
  problems.push(
    "The blocks {% if %} … {% endif %} of an instruction do not fit together, or are more than 1,000, or 100 in one another; they are left in the text.",
  );
  return parsePlain(text);
}

/** Tags of template languages that instructions do not have. */
function otherTags(text: string): readonly string[] {
  const tags = new Set(
    [...text.matchAll(/\{%-?\s*(?!(?:if|elif|elsif|else|endif)\b)\w+[^{}]{0,200}/g)].map(([tag]) => tag),
  );
  return [...tags].map(
    (tag) =>
      `The tag '${tag.trim()}${"}"}' of an instruction is none of if, elif, else and endif; it is left in the text.`,
  );
}

function readBlocks(
  text: string,
  parsePlain: (text: string) => readonly Segment[],
  problems: string[],
): readonly Segment[] | undefined {
  const top: Segment[] = [];
  const open: OpenBlock[] = [];
  const here = () => open.at(-1)?.segments ?? top;
  let end = 0;
  let blocks = 0;
  for (const match of text.matchAll(TAG)) {
    const [source, opening, written = "", closing] = match;
    const condition = written.replace(/-$/, "").trim();
    const [before, width] = tagPlace(text, match.index, source);
    here().push(...parsePlain(text.slice(end, before)));
    end = before + width;
    const block = open.at(-1);
    if (opening === "if" && (open.length === MAX_LEVELS || ++blocks > MAX_BLOCKS)) return undefined;
    if (opening === "if") {
      open.push({ branches: [], condition: readCondition(condition, problems), segments: [] });
      continue;
    }
    if (!block) return undefined;
    block.branches.push({ holds: block.condition, segments: block.segments });
    if (closing === "endif") {
      open.pop();
      here().push({ kind: "if", branches: block.branches });
      continue;
    }
    block.condition = closing === "else" ? () => true : readCondition(condition, problems);
    block.segments = [];
  }
  if (open.length > 0) return undefined;
  top.push(...parsePlain(text.slice(end)));
  return top;
}

/** Where a tag begins and how much it covers: the whole line when it is alone on it, else the tag only. */
function tagPlace(text: string, index: number, source: string): readonly [number, number] {
  const atLineStart = index === 0 || text[index - 1] === "\n";
  const after = index + source.length;
  const atLineEnd = source.endsWith("\n") || after === text.length;
  if (atLineStart && atLineEnd) return [index, source.length];
  const tag = source.trim();
  return [index + source.indexOf(tag), tag.length];
}

function readCondition(text: string, problems: string[]): Condition {
  const condition = parseCondition(text);
  if (condition) return condition;
  problems.push(`The condition '${text.slice(0, 200)}' of an instruction cannot be read; its block is always shown.`);
  return () => true;
}
