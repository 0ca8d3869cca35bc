import { type Condition, parseCondition } from "./instruction-condition.ts";
import type { Branch, Segment } from "./instruction-template.ts";

/** `{% if … %}`, `{% elif … %}`, `{% else %}`, `{% endif %}`; one that has a line for itself takes the line with it. */
const TAG = /(?:^[ \t]*)?\{%-?\s*(?:(if|elif|elsif)\s+([^%]*?)|(else|endif))\s*-?%\}(?:[ \t]*$\n?)?/gm;

/** A block that is not closed yet. */
interface OpenBlock {
  readonly branches: Branch[];
  condition: Condition;
  segments: Segment[];
}

/**
 * Reads the conditional blocks of an instruction; `parsePlain` reads what stands between them. Blocks that do not fit together
 * are left in the text as they stand, and a condition that cannot be read keeps its text in: a prompt that says too much is
 * noticed, one that silently lacks a part is not.
 */
export function parseBlocks(
  text: string,
  parsePlain: (text: string) => readonly Segment[],
  problems: string[],
): readonly Segment[] {
  if (!text.includes("{%")) return parsePlain(text);
  const found: string[] = [];
  const segments = readBlocks(text, parsePlain, found);
  problems.push(...found);
  if (segments) return segments;
  problems.push("The blocks {% if %} … {% endif %} of an instruction do not fit together; they are left in the text.");
  return parsePlain(text);
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
  for (const match of text.matchAll(TAG)) {
    const [source, opening, condition = "", closing] = match;
    const [before, width] = tagPlace(text, match.index, source);
    here().push(...parsePlain(text.slice(end, before)));
    end = before + width;
    const block = open.at(-1);
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
  problems.push(`The condition '${text}' of an instruction cannot be read; its block is always shown.`);
  return () => true;
}
