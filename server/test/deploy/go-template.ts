// The part of Go's templates that charts use, so that the chart is rendered where no helm is.
import { createHash } from "node:crypto";
import { stringify } from "yaml";

type Value = unknown;
type Render = (scope: Scope) => string;

/** What `.`, `$` and variables are, and the templates that `include` finds. */
interface Scope {
  readonly dot: Value;
  /** Those that a block sets hold to its end. */
  readonly variables: Record<string, Value>;
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
    .replace(/\{\{\/\*.*?\*\/\}\}/gs, "")
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
    const [, name, given = ""] = /^(\$\w+)\s*:=\s*(.*)$/s.exec(words) ?? [];
    if (name)
      return (scope) => {
        scope.variables[name] = evaluate(given, scope);
        return "";
      };
    if (!keyword) return (scope) => printed(evaluate(words, scope));
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
  return (outer) => {
    const scope = { ...outer, variables: { ...outer.variables } };
    return parts.map((part) => part(scope)).join("");
  };
}

function choice(keyword: string, expression: string, render: Render, otherwise: Render): Render {
  const [, names, given = expression] = /^(\$\w+(?:\s*,\s*\$\w+)?)\s*:=\s*(.*)$/s.exec(expression) ?? [];
  return (scope) => {
    const value = evaluate(given, scope);
    if (isEmpty(value)) return otherwise(scope);
    if (keyword === "if") return render(scope);
    if (keyword === "with") return render({ ...scope, dot: value });
    const [item = "", key = ""] = names?.split(/\s*,\s*/).toReversed() ?? [];
    return Object.entries(value as object)
      .sort(([a], [b]) => (Array.isArray(value) ? 0 : a.localeCompare(b)))
      .map(([name, dot]) => render({ ...scope, dot, variables: { ...scope.variables, [key]: name, [item]: dot } }))
      .join("");
  };
}

/** A pipeline: the result of each command is the last argument of the next. */
function evaluate(pipeline: string, scope: Scope): Value {
  let last: readonly Value[] = [];
  for (const command of wordsOf(pipeline, "|")) {
    const [first = "", ...rest] = wordsOf(command, " ");
    const run = FUNCTIONS[first];
    const args = () => [...rest.map((word) => operand(word, scope)), ...last];
    last = [run ? run(scope, ...args()) : operand(first, scope)];
  }
  return last[0];
}

/** The parts of a text between separators that stand in no quotes and no parentheses. */
function wordsOf(text: string, separator: "|" | " "): readonly string[] {
  const words = [""];
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[^"]/gs)) {
    depth += token === "(" ? 1 : token === ")" ? -1 : 0;
    if (depth === 0 && token.replace(/\s/, " ") === separator) words.push("");
    else words.push(words.pop() + token);
  }
  return words.filter((word) => word.trim() !== "").map((word) => word.trim());
}

function operand(word: string, scope: Scope): Value {
  if (word.startsWith("(")) return evaluate(word.slice(1, -1), scope);
  if (/^["\d]/.test(word)) return JSON.parse(word);
  const [, root = "", path = ""] = /^(\$\w*)?((?:\.\w*)*)$/.exec(word) ?? [];
  if (root === "" && path === "") throw new Error(`the template has '${word}', which nothing here understands`);
  const from = root === "" ? scope.dot : scope.variables[root];
  const names = path.split(".").filter((name) => name !== "");
  return names.reduce<Value>((value, name) => (value as Record<string, Value> | undefined)?.[name], from);
}

/** What Go prints of a value: numbers of a values file are fractions, of which it writes those from a million on with an exponent. */
function printed(value: Value): string {
  if (typeof value !== "number" || value === 0) return String(value ?? "");
  const [digits = "", exponent = ""] = value.toExponential().split("e");
  const size = Number(exponent);
  if (size >= -4 && size < 6) return String(value);
  return `${digits}e${size < 0 ? "-" : "+"}${String(Math.abs(size)).padStart(2, "0")}`;
}

function isEmpty(value: Value): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function kindOf(value: Value): string {
  if (value === undefined || value === null) return "invalid";
  return typeof value === "object" ? (Array.isArray(value) ? "slice" : "map") : typeof value;
}

type TemplateFunction = (scope: Scope, ...args: readonly Value[]) => Value;

const FUNCTIONS: Readonly<Record<string, TemplateFunction>> = {
  include: (scope, name, dot) =>
    scope.templates.get(String(name))?.({ ...scope, dot, variables: { $: dot } }) ?? refuse(`no template ${name}`),
  nindent: (_, count, text) => `\n${String(text).replace(/^(?=.)/gm, " ".repeat(Number(count)))}`,
  quote: (_, text) => JSON.stringify(printed(text)),
  not: (_, value) => isEmpty(value),
  default: (_, other, value) => (isEmpty(value) ? other : value),
  toYaml: (_, value) => stringify(value, { sortMapEntries: true }).trimEnd(),
  trunc: (_, count, text) => String(text).slice(0, Number(count)),
  trimSuffix: (_, suffix, text) => String(text).replace(new RegExp(`${suffix}$`), ""),
  sha256sum: (_, text) => createHash("sha256").update(String(text)).digest("hex"),
  toJson: (_, value) => JSON.stringify(value),
  kindIs: (_, kind, value) => kind === kindOf(value),
  contains: (_, part, text) => String(text).includes(String(part)),
  hasKey: (_, map, name) => Object.hasOwn(Object(map), String(name)),
  list: (_, ...items) => items,
  dict: (_, ...items) =>
    Object.fromEntries(items.flatMap((name, at) => (at % 2 === 0 ? [[String(name), items[at + 1]]] : []))),
  and: (_, ...values) => values.find(isEmpty) ?? values.at(-1),
  or: (_, ...values) => values.find((value) => !isEmpty(value)) ?? values.at(-1),
  float64: (_, value) => Number(value),
  addf: (_, ...values) => values.map(Number).reduce((left, right) => left + right),
  add: (_, ...values) => whole(values.map((value) => Math.trunc(Number(value))).reduce((left, right) => left + right)),
  div: (_, left, right) => whole(Math.trunc(Number(left) / Number(right))),
  eq: (_, left, right) => left === right,
  ge: (_, left, right) => Number(left) >= Number(right),
  gt: (_, left, right) => Number(left) > Number(right),
  printf: (_, format, ...values) => {
    let at = 0;
    return String(format).replace(/%[sv]/g, () => printed(values[at++]));
  },
  fail: (_, message) => refuse(String(message)),
  required: (_, message, value) => (isEmpty(value) ? refuse(String(message)) : value),
};

/** Whole numbers of functions are no fractions to Go, and have no exponent. */
function whole(value: number): bigint {
  return BigInt(value);
}

function refuse(message: string): never {
  throw new Error(message);
}
