import { definedFields, isJsonObject, type JsonObject, type JsonValue } from "#base";
import { isSystemToolName } from "#resources";
import { objectOf, type Path, placeOf, type StructuredDocument } from "../app/document.ts";
import type { LintedApp } from "../app/linted-app.ts";
import { listField, textField } from "../app/manifest-fields.ts";
import type { Report, Rule, TextEdit } from "../contract.ts";
import { isPredefined } from "./variable-names.ts";

/** E: evaluation files of the toolkit, below `evals_dir`. */
export const EVALUATION_RULES: readonly Rule[] = [
  {
    id: "E001",
    name: "eval-yaml-parse",
    severity: "error",
    summary: "an evaluation file that is not valid YAML",
    check: unparsedFiles,
  },
  {
    id: "E002",
    name: "eval-structure",
    severity: "error",
    summary: "a golden without `conversations`",
    check: goldensWithoutConversations,
  },
  {
    id: "E003",
    name: "eval-tool-exists",
    severity: "warning",
    summary: "an expected call of a tool that does not exist",
    check: missingTools,
  },
  {
    id: "E004",
    name: "eval-session-param",
    severity: "warning",
    summary: "a session parameter that is no declared variable",
    check: unknownParameters,
  },
  {
    id: "E005",
    name: "eval-duplicate-keys",
    severity: "error",
    summary: "a key that is repeated, so that its first value is lost",
    check: ({ evaluationFiles }) =>
      evaluationFiles.flatMap(({ repeatedKeys }) =>
        repeatedKeys.map(({ place, key }) => ({ place, message: `'${key}' is repeated; only its last value counts` })),
      ),
  },
  {
    id: "E006",
    name: "eval-no-mocks",
    severity: "warning",
    summary: "a golden with tool calls and without session parameters",
    check: callsWithoutParameters,
  },
  {
    id: "E007",
    name: "eval-agent-not-string",
    severity: "error",
    summary: "an `agent` that is neither a text nor a list of texts",
    check: agentsOfOtherTypes,
  },
  {
    id: "E008",
    name: "eval-missing-agent",
    severity: "warning",
    summary: "a turn of a golden with `user` and without `agent`",
    check: turnsWithoutAgent,
  },
  {
    id: "E009",
    name: "eval-sim-missing-tags",
    severity: "warning",
    summary: "a simulation without `tags`",
    check: simulationsWithoutTags,
  },
  {
    id: "E010",
    name: "eval-tool-test-wrong-key",
    severity: "error",
    summary: "`test_cases` in a tool test, which then has no tests",
    fixable: true,
    check: testCasesInToolTests,
  },
  {
    id: "E011",
    name: "eval-invalid-match-type",
    severity: "error",
    summary: "an unknown `$matchType`, in evaluation files and in evaluations of the app",
    fixable: true,
    check: matchTypes,
  },
];

/** An object in a document and its path. */
interface Entry {
  readonly document: StructuredDocument;
  readonly path: Path;
  readonly value: JsonObject;
}

function at({ document, path }: Entry, field: Path, message: string, fix?: readonly TextEdit[]): Report {
  return { place: placeOf(document, [...path, ...field]), message, ...definedFields({ fix }) };
}

/** The objects of a list field. */
function entriesIn({ document, path, value }: Entry, field: string): readonly Entry[] {
  return listField(value, field).flatMap((item, index) =>
    isJsonObject(item) ? [{ document, path: [...path, field, index], value: item }] : [],
  );
}

function top(document: StructuredDocument): Entry {
  return { document, path: [], value: objectOf(document) };
}

/** Conversations of goldens and turn evaluations. */
function conversationsOf({ evaluationFiles }: LintedApp): readonly Entry[] {
  return evaluationFiles.flatMap((document) => entriesIn(top(document), "conversations"));
}

/** Turns of conversations that are goldens: turn evaluations have `expectations` in their turns, and no `agent`. */
function goldenTurns(app: LintedApp): readonly Entry[] {
  return conversationsOf(app)
    .flatMap((conversation) => entriesIn(conversation, "turns"))
    .filter(({ value }) => !("expectations" in value));
}

function* unparsedFiles({ evaluationFiles }: LintedApp): Iterable<Report> {
  for (const { problem } of evaluationFiles)
    if (problem) yield { place: problem.place, message: `is not valid YAML: ${problem.message}` };
}

function* goldensWithoutConversations({ evaluationFiles }: LintedApp): Iterable<Report> {
  for (const document of evaluationFiles) {
    if (document.problem || !inFolder(document, "goldens")) continue;
    const value = objectOf(document);
    // The toolkit also reads evaluations in the form of the API.
    if ("conversations" in value || "golden" in value || "scenario" in value) continue;
    yield { place: document.source.placeAt(0), message: "has no 'conversations', so it has no goldens" };
  }
}

function inFolder({ source }: StructuredDocument, name: string): boolean {
  return `/${source.file}`.includes(`/${name}/`);
}

function* missingTools(app: LintedApp): Iterable<Report> {
  const known = new Set(app.tools.map(({ displayName }) => displayName));
  const toolsets = app.toolsets.map(({ displayName }) => `${displayName.replaceAll("-", "_")}_`);
  const exists = (name: string) =>
    known.has(name) ||
    isSystemToolName(name) ||
    toolsets.some((toolset) => name.replaceAll("-", "_").startsWith(toolset));
  for (const turn of goldenTurns(app)) {
    for (const call of entriesIn(turn, "tool_calls")) {
      const action = textField(call.value, "action");
      if (action !== "" && !exists(action)) yield at(call, ["action"], `'${action}' is no tool of this app`);
    }
  }
}

function* unknownParameters(app: LintedApp): Iterable<Report> {
  const files = app.evaluationFiles.map(top);
  const places: readonly (readonly [Entry, string])[] = [
    ...files.map((file) => [file, "common_session_parameters"] as const),
    ...[...conversationsOf(app), ...simulationsOf(app)].map((each) => [each, "session_parameters"] as const),
  ];
  for (const [entry, field] of places) {
    const parameters = entry.value[field];
    for (const name of isJsonObject(parameters) ? Object.keys(parameters) : [])
      if (!app.variables.has(name) && !isPredefined(name))
        yield at(entry, [field, name], `'${name}' is no variable that the app declares`);
  }
}

function* callsWithoutParameters(app: LintedApp): Iterable<Report> {
  for (const conversation of conversationsOf(app)) {
    const { document, value } = conversation;
    if (hasMembers(value.session_parameters) || hasMembers(objectOf(document).common_session_parameters)) continue;
    const calls = entriesIn(conversation, "turns").flatMap((turn) => entriesIn(turn, "tool_calls"));
    if (calls.length > 0)
      yield at(conversation, [], "expects tool calls and sets no session parameters, so its tools are called for real");
  }
}

function hasMembers(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length > 0;
}

function* agentsOfOtherTypes(app: LintedApp): Iterable<Report> {
  for (const turn of goldenTurns(app)) {
    const { agent } = turn.value;
    const texts = Array.isArray(agent) ? agent : [agent ?? ""];
    if (!texts.every((text) => typeof text === "string"))
      yield at(turn, ["agent"], "must be a text or a list of texts");
  }
}

function* turnsWithoutAgent(app: LintedApp): Iterable<Report> {
  for (const turn of goldenTurns(app))
    if ("user" in turn.value && !("agent" in turn.value))
      yield at(turn, [], "has 'user' and no 'agent', so whatever the agent says is unexpected");
}

function simulationsOf({ evaluationFiles }: LintedApp): readonly Entry[] {
  return evaluationFiles.flatMap((document) => {
    const { value } = document;
    if (!Array.isArray(value)) return entriesIn(top(document), "evals");
    return value.flatMap((item: JsonValue, index) =>
      isJsonObject(item) ? [{ document, path: [index], value: item }] : [],
    );
  });
}

function* simulationsWithoutTags(app: LintedApp): Iterable<Report> {
  for (const simulation of simulationsOf(app))
    if (!Array.isArray(simulation.value.tags) || simulation.value.tags.length === 0)
      yield at(simulation, [], "has no 'tags', so no run by tags has it");
}

function* testCasesInToolTests({ evaluationFiles }: LintedApp): Iterable<Report> {
  for (const document of evaluationFiles) {
    const file = top(document);
    const cases = entriesIn(file, "test_cases");
    const areTools = inFolder(document, "tool_tests") || cases.some(({ value }) => "tool" in value);
    const key = document.keySpan(["test_cases"]);
    if (!areTools || !key) continue;
    const [start, end] = key;
    const fix = "tests" in file.value ? undefined : [{ file: document.source.file, start, end, text: "tests" }];
    yield {
      ...at(file, [], "a tool test has 'tests'; 'test_cases' are not run", fix),
      place: document.source.placeAt(start),
    };
  }
}

const MATCH_TYPES: ReadonlySet<string> = new Set(["semantic", "ignore", "contains", "regexp"]);
/** Spellings that can only mean one. */
const MEANT: Readonly<Record<string, string>> = { regex: "regexp", regular_expression: "regexp", fuzzy: "semantic" };

function* matchTypes({ evaluationFiles, evaluations }: LintedApp): Iterable<Report> {
  for (const document of [...evaluationFiles, ...evaluations.map((each) => each.document)]) {
    for (const [path, type] of matchTypesIn(document.value, [])) {
      if (typeof type === "string" && MATCH_TYPES.has(type)) continue;
      const meant =
        MEANT[String(type).toLowerCase()] ??
        (MATCH_TYPES.has(String(type).toLowerCase()) ? String(type).toLowerCase() : undefined);
      const span = meant === undefined ? undefined : document.span(path);
      const fix = span && meant !== undefined ? [respelled(document, span, String(type), meant)] : undefined;
      yield {
        place: placeOf(document, path),
        message: `$matchType '${String(type)}' is unknown; use ${[...MATCH_TYPES].join(", ")}${meant ? ` (${meant})` : ""}`,
        ...definedFields({ fix }),
      };
    }
  }
}

/** The value with another text, in the quotes that it had. */
function respelled(
  { source }: StructuredDocument,
  [start, end]: readonly [number, number],
  from: string,
  to: string,
): TextEdit {
  return { file: source.file, start, end, text: source.text.slice(start, end).replace(from, to) };
}

function* matchTypesIn(value: unknown, path: Path): Iterable<readonly [Path, unknown]> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* matchTypesIn(item, [...path, index]);
  else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key === "$matchType") yield [[...path, key], item];
      else yield* matchTypesIn(item, [...path, key]);
    }
  }
}
