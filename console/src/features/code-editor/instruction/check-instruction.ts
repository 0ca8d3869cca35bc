import type { CodeProblem, Names } from "../code-language.ts";

const REFERENCE = /\{@(AGENT|TOOL):\s*([^{}\n]*?)\s*\}|\{\{?\s*([A-Za-z_]\w*)(?:\.\w+)*\s*\}?\}/gi;

/** Problems shown at most: more would bury the text. */
const MOST = 200;

/** References and variables of an instruction that this app does not have. */
export function checkInstruction(text: string, names: Names): readonly CodeProblem[] {
  const known = { AGENT: nameSet(names.agents), TOOL: nameSet(names.tools), variable: nameSet(names.variables) };
  const problems: { readonly at: number; readonly message: string }[] = [];
  for (const match of text.matchAll(REFERENCE)) {
    const message = problemOf(match, known);
    if (message) problems.push({ at: match.index, message });
    if (problems.length === MOST) break;
  }
  return placed(text, problems);
}

type Known = Readonly<Record<"AGENT" | "TOOL" | "variable", ReadonlySet<string>>>;

function problemOf([, kind, name = "", variable]: RegExpMatchArray, known: Known): string | undefined {
  if (variable !== undefined)
    return known.variable.has(variable)
      ? undefined
      : `Variable “${variable}” is not declared in this app, so the text is not replaced.`;
  const isAgent = kind?.toUpperCase() === "AGENT";
  if (known[isAgent ? "AGENT" : "TOOL"].has(name)) return undefined;
  return isAgent ? `This app has no agent named “${name}”.` : `This app has no tool named “${name}”.`;
}

function nameSet(list: Names["agents"]): ReadonlySet<string> {
  return new Set(list.map(({ name }) => name));
}

/** Offsets as lines and columns, in one walk through the text. */
function placed(
  text: string,
  problems: readonly { readonly at: number; readonly message: string }[],
): readonly CodeProblem[] {
  let line = 1;
  let start = 0;
  return problems.map(({ at, message }) => {
    for (let next = text.indexOf("\n", start); next !== -1 && next < at; next = text.indexOf("\n", start)) {
      line += 1;
      start = next + 1;
    }
    return { line, column: at - start + 1, text: message, severity: "warning" };
  });
}
