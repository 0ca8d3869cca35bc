// The part of Go's templates that charts use, so that the chart is rendered where no helm is.
import { createHash } from "node:crypto";
import { stringify } from "yaml";

type Value = unknown;
type Render = (scope: Scope) => string;

/** What `.`, `$` and variables are, and the templates that `include` finds. */
interface Scope {
  readonly dot: Value;
  readonly variables: Readonly<Record<string, Value>>;
  readonly templates: ReadonlyMap<string, Render>;
}

/** Parses the templates of a chart; returns a function that renders one of the files by its name. */
export function parseTemplates(files: Readonly<Record<string, string>>): (name: string, dot: object) => string {
  const templates = new Map<string, Render>();
  const mains = new Map(Object.entries(files).map(([name, text]) => [name, parse(text, templates)]));
  return (name, dot) => mains.get(name)?.({ dot, variables: { $: dot }, templates }) ?? "";
}

/** Text and actions in turn; `-` at a brace takes the white space beside it. */
function parse(text: string, templates: Map<string, Render>): Render {
  const tokens = text
    .replace(/\s*\{\{-/g, "{{")
    .replace(/-\}\}\s*/g, "}}")
    .split(/\{\{(.*?)\}\}/s);
  let at = 0;

  /** Up to the action that ends or divides this block. */
  function block(): { readonly render: Render; readonly end: string } {
    const parts: Render[] = [];
    for (; at < tokens.length; at += 1) {
      const token = tokens[at] ?? "";
      if (at % 2 === 0) parts.push(() => token);
      else if (/^\s*(end|else)\b/.test(token)) return { render: joined(parts), end: token.trim() };
      else parts.push(action(token.trim()));
    }
    return { render: joined(parts), end: "" };
  }

  function action(words: string): Render {
    const [, keyword, rest = ""] = /^(if|with|range|define)\s+(.*)$/s.exec(words) ?? [];
    if (!keyword) return (scope) => String(evaluate(words, scope) ?? "");
    at += 1;
    const { render, end } = block();
    if (keyword === "define") {
      templates.set(rest.replaceAll('"', ""), render);
      return () => "";
    }
    if (end === "end") return choice(keyword, rest, render, () => "");
    const other = /^else\s+(if\s+.*)$/s.exec(end)?.[1];
    if (other) return choice(keyword, rest, render, action(other));
    at += 1;
    return choice(keyword, rest, render, block().render);
  }

  return block().render;
}

function joined(parts: readonly Render[]): Render {
  return (scope) => parts.map((part) => part(scope)).join("");
}

function choice(keyword: string, expression: string, render: Render, otherwise: Render): Render {
  const [, names, given = expression] = /^(\$\w+(?:\s*,\s*\$\w+)?)\s*:=\s*(.*)$/s.exec(expression) ?? [];
  return (scope) => {
    const value = evaluate(given, scope);
    if (isEmpty(value)) return otherwise(scope);
    if (keyword === "if") return render(scope);
    if (keyword === "with") return render({ ...scope, dot: value });
    const [key = "", item = ""] = names?.split(/\s*,\s*/) ?? [];
    return Object.entries(value as object)
      .sort(([a], [b]) => (Array.isArray(value) ? 0 : a.localeCompare(b)))
      .map(([name, dot]) => render({ ...scope, dot, variables: { ...scope.variables, [key]: name, [item]: dot } }))
      .join("");
  };
}

/** A pipeline: the result of each command is the last argument of the next. */
function evaluate(pipeline: string, scope: Scope): Value {
  let last: readonly Value[] = [];
  for (const command of pipeline.match(/(?:"[^"]*"|[^|"])+/g) ?? []) {
    const [first = "", ...rest] = command.match(/"[^"]*"|\S+/g) ?? [];
    const run = FUNCTIONS[first];
    const args = () => [...rest.map((word) => operand(word, scope)), ...last];
    last = [run ? run(scope, ...args()) : operand(first, scope)];
  }
  return last[0];
}

function operand(word: string, { dot, variables }: Scope): Value {
  if (/^["\d]/.test(word)) return JSON.parse(word);
  const [, root = "", path = ""] = /^(\$\w*)?((?:\.\w*)*)$/.exec(word) ?? [];
  if (root === "" && path === "") throw new Error(`the template has '${word}', which nothing here understands`);
  const from = root === "" ? dot : variables[root];
  const names = path.split(".").filter((name) => name !== "");
  return names.reduce<Value>((value, name) => (value as Record<string, Value> | undefined)?.[name], from);
}

function isEmpty(value: Value): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

type TemplateFunction = (scope: Scope, ...args: readonly Value[]) => Value;

const FUNCTIONS: Readonly<Record<string, TemplateFunction>> = {
  include: (scope, name, dot) =>
    scope.templates.get(String(name))?.({ ...scope, dot, variables: { $: dot } }) ?? refuse(`no template ${name}`),
  nindent: (_, count, text) => `\n${String(text).replace(/^(?=.)/gm, " ".repeat(Number(count)))}`,
  quote: (_, text) => JSON.stringify(String(text ?? "")),
  not: (_, value) => isEmpty(value),
  default: (_, other, value) => (isEmpty(value) ? other : value),
  toYaml: (_, value) => stringify(value, { sortMapEntries: true }).trimEnd(),
  trunc: (_, count, text) => String(text).slice(0, Number(count)),
  trimSuffix: (_, suffix, text) => String(text).replace(new RegExp(`${suffix}$`), ""),
  sha256sum: (_, text) => createHash("sha256").update(String(text)).digest("hex"),
  required: (_, message, value) => (isEmpty(value) ? refuse(String(message)) : value),
};

function refuse(message: string): never {
  throw new Error(message);
}
