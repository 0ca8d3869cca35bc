import { applyEdits, modify } from "jsonc-parser";
import type { LintedApp, LintedTool } from "../app/linted-app.ts";
import { field, objectField, textField } from "../app/manifest-fields.ts";
import type { SourceText } from "../app/source-text.ts";
import type { Report, Rule, TextEdit } from "../contract.ts";
import type { PythonFacts, PythonFunction, PythonParameter } from "../python/python-facts.ts";
import { atCode, atField, factsOf, parsedPython } from "./report.ts";

/** Constants in one returned value above which a model is given more than it can use. */
const LARGE_RESULT = 200;

/** T: manifests and Python files of tools. */
export const TOOL_RULES: readonly Rule[] = [
  {
    id: "T001",
    name: "tool-error-pattern",
    severity: "error",
    summary: "an error result without `agent_action`, which tells the agent what to do",
    check: each(errorResults),
  },
  {
    id: "T002",
    name: "tool-docstring",
    severity: "warning",
    summary: "a tool function without a docstring, which is the tool's description",
    check: each(docstrings),
  },
  {
    id: "T003",
    name: "tool-type-hints",
    severity: "info",
    summary: "arguments or a result without type hints",
    check: each(typeHints),
  },
  {
    id: "T004",
    name: "tool-fn-name",
    severity: "warning",
    summary: "a function whose name is not that of the tool's folder",
    check: each(functionName),
  },
  {
    id: "T005",
    name: "tool-high-cardinality",
    severity: "info",
    summary: "an argument that people cannot say, such as a timestamp or a session id",
    check: each(highCardinality),
  },
  {
    id: "T006",
    name: "tool-return-explosion",
    severity: "info",
    summary: `a returned literal with more than ${LARGE_RESULT} values`,
    check: each(largeResults),
  },
  {
    id: "T007",
    name: "tool-name-snake-case",
    severity: "warning",
    toolkitSeverity: "error",
    summary: "a tool whose name is not snake_case; real exports have hyphens, and they work",
    check: toolNames,
  },
  {
    id: "T008",
    name: "tool-displayname-unreferenced",
    severity: "warning",
    summary: "a tool that no agent lists and no code calls",
    check: unusedTools,
  },
  {
    id: "T009",
    name: "tool-kwargs-signature",
    severity: "error",
    summary: "a tool function with `*args` or `**kwargs`, which the product drops",
    check: each(variadic),
  },
  {
    id: "T010",
    name: "tool-python-syntax",
    severity: "error",
    summary: "a tool file with a syntax error",
    check: syntaxErrors,
  },
  {
    id: "T011",
    name: "tool-none-default",
    severity: "error",
    summary: "an argument with the default `None`, which makes the product drop the tool",
    fixable: true,
    check: each(noneDefaults),
  },
  {
    id: "T012",
    name: "tool-json-missing-description",
    severity: "warning",
    toolkitSeverity: "error",
    summary: "a Python or widget tool without `description`; real exports of functions without a docstring have none",
    fixable: true,
    check: descriptions,
  },
  {
    id: "T013",
    name: "tool-json-object",
    severity: "error",
    summary: "a tool manifest that is not an object",
    check: manifestObjects,
  },
];

interface ParsedTool {
  readonly tool: LintedTool;
  readonly source: SourceText;
  readonly facts: PythonFacts;
  /** The function that is called: the named one, else the first. */
  readonly entry: PythonFunction | undefined;
}

function each(check: (tool: ParsedTool) => Iterable<Report>): Rule["check"] {
  return function* (app) {
    for (const tool of app.tools) {
      const facts = factsOf(app, tool.code);
      if (!tool.code || !facts) continue;
      yield* check({ tool, source: tool.code, facts, entry: entryOf(facts, tool.entry) });
    }
  };
}

function entryOf({ functions }: PythonFacts, name: string): PythonFunction | undefined {
  return functions.find((each) => each.isTop && (name === "" || each.name === name));
}

function* errorResults({ source, facts }: ParsedTool): Iterable<Report> {
  for (const { keys, ...place } of facts.returns)
    if (keys.includes("error") && !keys.includes("agent_action"))
      yield atCode(source, place, "an error without 'agent_action': add what the agent shall do or say");
}

function* docstrings({ source, entry }: ParsedTool): Iterable<Report> {
  if (entry && entry.docstring.trim() === "")
    yield atCode(source, entry, `'${entry.name}' has no docstring, so the model does not know when to call it`);
}

function* typeHints({ source, entry }: ParsedTool): Iterable<Report> {
  if (!entry) return;
  for (const { name, kind, annotation, ...place } of entry.parameters)
    if (annotation === "" && !kind.startsWith("var-"))
      yield atCode(source, place, `'${name}' has no type hint, so the model does not know its type`);
  if (entry.returns === "")
    yield atCode(source, entry, `'${entry.name}' has no type hint for its result; write '-> dict'`);
}

function* functionName({ tool, source, facts, entry }: ParsedTool): Iterable<Report> {
  if (!entry || entry.name === tool.folder) return;
  if (facts.functions.some(({ name, isTop }) => isTop && name === tool.folder)) return;
  yield atCode(source, entry, `the function is '${entry.name}' and the tool's folder '${tool.folder}'; use one name`);
}

const HIGH_CARDINALITY =
  /^(?:\w*_)?(?:timestamp|epoch|latitude|longitude|lat|lng|lon|uuid|guid)$|^(?:session|request|trace|correlation|transaction)_id$/;

function* highCardinality({ source, entry }: ParsedTool): Iterable<Report> {
  for (const { name, ...place } of entry?.parameters ?? [])
    if (HIGH_CARDINALITY.test(name))
      yield atCode(
        source,
        place,
        `people cannot say '${name}'; take it from the session, or ask for something they know`,
      );
}

function* largeResults({ source, facts }: ParsedTool): Iterable<Report> {
  for (const { size, ...place } of facts.returns)
    if (size > LARGE_RESULT) yield atCode(source, place, `returns ${size} values; return what the agent needs`);
}

function* toolNames({ tools }: LintedApp): Iterable<Report> {
  for (const tool of tools) {
    for (const name of ["name", "displayName"]) {
      const value = textField(tool.manifest, name);
      // An id that the product made says nothing about names.
      if (value === "" || /^[a-z][a-z0-9_]*$/.test(value) || (name === "name" && /^[0-9a-f]{8}-/.test(value))) continue;
      yield atField(tool, [name], `${name} '${value}' is not snake_case`);
    }
  }
}

function* unusedTools(app: LintedApp): Iterable<Report> {
  const listed = new Set(app.agents.flatMap(({ tools }) => tools));
  const called = new Set(
    [...app.python.values()].flatMap((each) => ("error" in each ? [] : each.toolCalls.map(({ name }) => name))),
  );
  const linked = new Set(app.tools.flatMap(({ manifest }) => toolLinks(manifest)));
  for (const tool of app.tools) {
    const { displayName } = tool;
    if (listed.has(displayName) || called.has(displayName) || linked.has(displayName)) continue;
    yield atField(tool, ["displayName"], `no agent lists '${displayName}' in its tools`);
  }
}

/** Tools that a widget takes its data from. */
function toolLinks(manifest: LintedTool["manifest"]): readonly string[] {
  const mapping = objectField(objectField(manifest, "widgetTool"), "dataMapping");
  return [textField(mapping, "sourceToolName"), textField(mapping, "sourceTool")].filter((name) => name !== "");
}

function* variadic({ source, entry }: ParsedTool): Iterable<Report> {
  for (const { name, kind, ...place } of entry?.parameters ?? [])
    if (kind.startsWith("var-"))
      yield atCode(
        source,
        place,
        `'${kind === "var-keyword" ? "**" : "*"}${name}': name each argument, else the tool is dropped`,
      );
}

function* syntaxErrors(app: LintedApp): Iterable<Report> {
  for (const { code } of app.tools) {
    const parsed = parsedPython(app, code);
    if (code && parsed && "error" in parsed) yield atCode(code, parsed.error, `syntax error: ${parsed.error.message}`);
  }
}

const EMPTY_VALUES: Readonly<Record<string, string>> = {
  str: '""',
  int: "0",
  float: "0.0",
  bool: "False",
  list: "[]",
  dict: "{}",
};

function* noneDefaults({ source, entry }: ParsedTool): Iterable<Report> {
  for (const parameter of entry?.parameters ?? []) {
    if (!parameter.isNone) continue;
    const { name } = parameter;
    yield atCode(
      source,
      parameter,
      `'${name}' has the default None; use an empty value of its type`,
      emptyDefault(parameter, source),
    );
  }
}

/** The empty value of the annotated type, unless the function looks for `None`. */
function emptyDefault(
  { annotation, default: place, isComparedWithNone }: PythonParameter,
  source: SourceText,
): readonly TextEdit[] {
  const value = EMPTY_VALUES[annotation.replace(/^(?:typing\.)?Optional\[(.*)\]$/, "$1").replace(/\[.*$/, "")];
  if (!place || value === undefined || isComparedWithNone) return [];
  const start = source.offsetOf(place.line, place.column);
  return [{ file: source.file, start, end: start + "None".length, text: value }];
}

function* descriptions(app: LintedApp): Iterable<Report> {
  for (const tool of app.tools) {
    for (const type of ["pythonFunction", "widgetTool"]) {
      if (field(tool.manifest, type) === undefined) continue;
      const body = objectField(tool.manifest, type);
      if (textField(body, "description") !== "") continue;
      const facts = type === "pythonFunction" ? factsOf(app, tool.code) : undefined;
      const docstring = (facts && entryOf(facts, tool.entry)?.docstring) ?? "";
      yield atField(
        tool,
        [type],
        `has no ${type}.description, by which the model chooses it`,
        described(tool, type, docstring),
      );
    }
  }
}

/** The docstring as the description, which is what an export writes there. */
function described({ document, manifest }: LintedTool, type: string, docstring: string): readonly TextEdit[] {
  const { file, text } = document.source;
  if (docstring === "" || !file.endsWith(".json") || !(type in manifest)) return [];
  const edits = modify(text, [type, "description"], docstring, {
    formattingOptions: { insertSpaces: true, tabSize: 2 },
  });
  if (applyEdits(text, edits) === text) return [];
  return edits.map(({ offset, length, content }) => ({ file, start: offset, end: offset + length, text: content }));
}

function* manifestObjects({ tools }: LintedApp): Iterable<Report> {
  for (const { document } of tools) {
    const { value, problem } = document;
    if (!problem && (typeof value !== "object" || value === null || Array.isArray(value)))
      yield { place: document.source.placeAt(0), message: "a tool's manifest must be an object of fields" };
  }
}
