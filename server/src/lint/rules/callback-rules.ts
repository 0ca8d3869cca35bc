import { CALLBACKS, type EntryPointSignature } from "#resources";
import type { LintedAgent, LintedApp, LintedCallback } from "../app/linted-app.ts";
import type { SourceText } from "../app/source-text.ts";
import type { Report, Rule } from "../contract.ts";
import type { PythonFacts, PythonFunction } from "../python/python-facts.ts";
import { atCode, factsOf, parsedPython, quoted, snakeCase } from "./report.ts";
import { missingTypingImports } from "./typing-imports.ts";

/** C: Python files of callbacks. */
export const CALLBACK_RULES: readonly Rule[] = [
  {
    id: "C001",
    name: "callback-fn-name",
    severity: "error",
    summary: "a callback file without the function of its stage",
    check: each(functionName),
  },
  {
    id: "C002",
    name: "callback-args",
    severity: "error",
    summary: "a callback with another number of arguments than its stage passes",
    check: each(argumentCount),
  },
  {
    id: "C003",
    name: "callback-camelcase",
    severity: "error",
    summary: "a function with a camelCase name",
    fixable: true,
    check: each(camelCaseNames),
  },
  {
    id: "C004",
    name: "callback-return-type",
    severity: "warning",
    summary: "a model callback that returns a dict instead of an `LlmResponse`",
    check: each(returnedDicts),
  },
  {
    id: "C005",
    name: "callback-hardcoded-phrases",
    severity: "warning",
    summary: "a list of phrases that is searched for in what was said",
    check: each(hardcodedPhrases),
  },
  {
    id: "C006",
    name: "callback-bare-except",
    severity: "warning",
    summary: "a bare `except:` that neither logs nor raises",
    check: each(bareExcepts),
  },
  {
    id: "C007",
    name: "callback-tool-naming",
    severity: "info",
    summary: "a call `tools.NAME` of no tool or toolset of the app",
    check: each(toolCalls),
  },
  {
    id: "C008",
    name: "callback-missing-typing-import",
    severity: "error",
    summary: "a name of `typing` that is not imported",
    fixable: true,
    check: each(({ source, facts }) => missingTypingImports(source, facts)),
  },
  {
    id: "C009",
    name: "callback-signature",
    severity: "error",
    summary: "an argument of a callback without an annotation or with a wrong one",
    check: each(annotations),
  },
  {
    id: "C010",
    name: "callback-python-syntax",
    severity: "error",
    summary: "a callback file with a syntax error",
    check: syntaxErrors,
  },
];

/** P: what this server makes of callbacks. These ids are ours. */
export const ACTION_RULES: readonly Rule[] = [
  {
    id: "P005",
    name: "callback-impossible-action",
    severity: "warning",
    summary:
      "a callback that ends the session for an agent without the tool `end_session`, or transfers to no agent of the app",
    check: each(impossibleActions),
  },
];

interface ParsedCallback {
  readonly app: LintedApp;
  readonly agent: LintedAgent;
  readonly callback: LintedCallback;
  readonly source: SourceText;
  readonly facts: PythonFacts;
  readonly signature: EntryPointSignature;
  /** The function of the stage, if the file has it. */
  readonly entry: PythonFunction | undefined;
}

/** A check of every callback that can be parsed, as a rule's check. */
function each(check: (callback: ParsedCallback) => Iterable<Report>): Rule["check"] {
  return function* (app) {
    for (const parsed of parsedCallbacks(app)) yield* check(parsed);
  };
}

function* parsedCallbacks(app: LintedApp): Iterable<ParsedCallback> {
  for (const agent of app.agents) {
    for (const callback of agent.callbacks) {
      const facts = factsOf(app, callback.code);
      if (!callback.code || !facts) continue;
      const signature = CALLBACKS[callback.stage as keyof typeof CALLBACKS];
      const entry = facts.functions.find(({ name, isTop }) => isTop && name === signature.name);
      yield { app, agent, callback, source: callback.code, facts, signature, entry };
    }
  }
}

function* functionName({ source, facts, entry, signature }: ParsedCallback): Iterable<Report> {
  if (entry) return;
  const defined = facts.functions.filter(({ isTop }) => isTop).map(({ name }) => `'${name}'`);
  const found = defined.length > 0 ? `it defines ${defined.join(", ")}` : "it defines no function";
  const place = facts.functions.find(({ isTop }) => isTop) ?? { line: 1, column: 1 };
  yield atCode(source, place, `must define '${signature.name}', else it never runs; ${found}`);
}

function* argumentCount({ source, entry, signature }: ParsedCallback): Iterable<Report> {
  if (!entry) return;
  const { parameters } = entry;
  const variadic = parameters.some(({ kind }) => kind.startsWith("var-"));
  const needed = parameters.filter(({ kind, hasDefault }) => kind === "positional" && !hasDefault).length;
  const most = parameters.filter(({ kind }) => kind === "positional").length;
  const passed = signature.parameters.length;
  if (!variadic && needed <= passed && passed <= most && !isKeywordNeeded(entry)) return;
  const names = signature.parameters.map(({ name }) => name).join(", ");
  const taken = variadic ? "takes * or ** arguments" : `takes ${most} ${most === 1 ? "argument" : "arguments"}`;
  yield atCode(source, entry, `'${entry.name}' ${taken}; the stage passes ${passed} by position: ${names}`);
}

function isKeywordNeeded({ parameters }: PythonFunction): boolean {
  return parameters.some(({ kind, hasDefault }) => kind === "keyword-only" && !hasDefault);
}

function* camelCaseNames({ source, facts, signature, entry }: ParsedCallback): Iterable<Report> {
  for (const each of facts.functions) {
    if (!/^[a-z][a-z0-9]*[A-Z]/.test(each.name)) continue;
    const name = snakeCase(each.name);
    // Renaming is certain for the stage's own function, which only the product calls.
    const isEntry = !entry && each.isTop && name === signature.name && each.uses === 0;
    const start = source.offsetOf(each.line, each.nameColumn);
    const fix = isEntry ? [{ file: source.file, start, end: start + each.name.length, text: name }] : [];
    yield atCode(
      source,
      each,
      `'${each.name}' is camelCase; the product calls only snake_case functions: '${name}'`,
      fix,
    );
  }
}

function* returnedDicts({ callback, source, facts, signature }: ParsedCallback): Iterable<Report> {
  if (!callback.stage.includes("_model_")) return;
  for (const returned of facts.returns) {
    if (returned.isDict && returned.function === signature.name)
      yield atCode(source, returned, "returns a dict; return LlmResponse.from_parts(parts=[…]) or None");
  }
}

function* hardcodedPhrases({ source, facts }: ParsedCallback): Iterable<Report> {
  for (const list of facts.phraseLists)
    yield atCode(
      source,
      list,
      `searches for ${list.count} fixed phrases, which miss other wordings; let the instruction recognise what is meant`,
    );
}

function* bareExcepts({ source, facts }: ParsedCallback): Iterable<Report> {
  for (const { logs, ...place } of facts.bareExcepts)
    if (!logs) yield atCode(source, place, "'except:' hides every error; name the exception, or log it");
}

function* toolCalls({ app, source, facts }: ParsedCallback): Iterable<Report> {
  const tools = new Set(app.tools.map(({ displayName }) => displayName));
  const toolsets = app.toolsets.map(({ displayName }) => `${displayName.replaceAll("-", "_")}_`);
  for (const { name, ...place } of facts.toolCalls) {
    if (tools.has(name) || toolsets.some((toolset) => name.startsWith(toolset))) continue;
    const advice = "use a tool's display name, or '<toolset>_<operation>'";
    yield atCode(source, place, `'tools.${name}' is no tool of this app; ${advice}`);
  }
}

/** Actions that the session refuses when the callback returns them (LINT-8). */
function* impossibleActions({ app, agent, source, facts }: ParsedCallback): Iterable<Report> {
  const agents = app.agents.map(({ displayName }) => displayName);
  for (const { name, agent: target, ...place } of facts.actions) {
    if (name === "end_session" && !agent.tools.includes(name))
      yield atCode(
        source,
        place,
        `ends the session, and agent '${agent.displayName}' has no tool 'end_session'; list it`,
      );
    // A resource name is one of the app that it is imported into.
    if (target === "" || target.includes("/") || agents.includes(target)) continue;
    yield atCode(source, place, `transfers to '${target}', which is no agent; agents: ${quoted(agents)}`);
  }
}

function* annotations({ source, entry, signature }: ParsedCallback): Iterable<Report> {
  for (const [index, expected] of signature.parameters.entries()) {
    const actual = entry?.parameters[index];
    if (actual?.kind !== "positional" || expected.annotations.length === 0) continue;
    const bare = actual.annotation.replace(/[\s"']/g, "").replace(/\[.*$/, "");
    if (expected.annotations.includes(bare.slice(bare.lastIndexOf(".") + 1))) continue;
    const written = actual.annotation === "" ? "has no annotation" : `is annotated as '${actual.annotation}'`;
    yield atCode(source, actual, `'${actual.name}' ${written}; write '${actual.name}: ${expected.annotations[0]}'`);
  }
}

function* syntaxErrors(app: LintedApp): Iterable<Report> {
  for (const { callbacks } of app.agents) {
    for (const { code } of callbacks) {
      const parsed = parsedPython(app, code);
      if (code && parsed && "error" in parsed)
        yield atCode(code, parsed.error, `syntax error: ${parsed.error.message}`);
    }
  }
}
