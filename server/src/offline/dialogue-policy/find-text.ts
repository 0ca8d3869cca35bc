import type { Parameter } from "./parameter.ts";
import { type SlotText, take } from "./slot-text.ts";

/** Quoted text, or what follows the parameter's name ("colour: red"), a name's introduction, or the whole answer when it was asked for. */
export function findText(parameter: Parameter, source: SlotText, asked: boolean): string | undefined {
  const named =
    labelledText(parameter, source.text) ??
    (parameter.kind === "name" ? introducedName(parameter, source.text) : undefined);
  if (named !== undefined) return named;
  if (asked) return isCause(parameter) ? bareText(source.text) : answerText(source.text);
  const quoted = parameter.required ? take(source, ["quoted"])?.value : undefined;
  return quoted ?? (isCause(parameter) ? causeClause(source.text) : undefined);
}

function labelledText(parameter: Parameter, text: string): string | undefined {
  const label = parameter.name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]/g, " ")
    .replace(/[^\p{L}\p{N} ]/gu, "");
  const match = new RegExp(`\\b${label}\\b\\s*(?:is|was|[:=])\\s*([^\\n.;,!?]{1,120})`, "iu").exec(text);
  return match?.[1] === undefined ? undefined : bareText(match[1]);
}

/** "my name is Ada Lovelace", "in New York": capitals tell where a name ends. */
function introducedName(parameter: Parameter, text: string): string | undefined {
  const capitalised = "(\\p{Lu}[\\p{L}'’-]*(?: \\p{Lu}[\\p{L}'’-]*)*)";
  const person = /(?:^|_)name$/i.test(parameter.name);
  const introduction = person
    ? "(?:[Mm]y name is|I am|I'm|[Tt]his is|[Cc]all me|[Ii]t's)"
    : "\\b(?:in|at|to|from|for|near|of)";
  return new RegExp(`${introduction} ${capitalised}`, "u").exec(text)?.[1];
}

function isCause(parameter: Parameter): boolean {
  return /reason|cause|why/i.test(parameter.name);
}

function causeClause(text: string): string | undefined {
  const match = /\b(?:because(?: of)?|since|as it|due to)\s+(.{3,200})$/iu.exec(text);
  return match?.[1] === undefined ? undefined : bareText(match[1]);
}

/** An answer without its introduction: "it's Ada." is "Ada". */
export function answerText(text: string): string | undefined {
  return bareText(text.trim().replace(/^(?:it'?s|it is|that'?s|that is|my name is|the answer is)\s+/i, ""));
}

function bareText(text: string): string | undefined {
  const bare = text.trim().replace(/[\s.!?,;]+$/u, "");
  return bare === "" ? undefined : bare;
}
