import type { FieldViolation } from "#status";
import { placeOf } from "../app/document.ts";
import { parseFieldPath } from "../app/field-path.ts";
import { withKnownNames } from "../app/known-names.ts";
import type { LintedApp, LintedResource } from "../app/linted-app.ts";
import { keyOf, objectField, textField } from "../app/manifest-fields.ts";
import type { SourceText } from "../app/source-text.ts";
import type { Place, Report, Rule } from "../contract.ts";

/** P: what import and validation of this server say (LINT-5), and what else only we look for. These ids are ours. */
export const PACKAGE_RULES: readonly Rule[] = [
  {
    id: "P001",
    name: "import-fails",
    severity: "error",
    summary: "a fault that fails the import of the whole app",
    check: (app) => app.imported.violations.map((violation) => locatedViolation(app, violation)),
  },
  {
    id: "P002",
    name: "import-warning",
    severity: "warning",
    summary: "what an import ignores, changes or leaves out",
    check: (app) => app.imported.warnings.map((warning) => located(app, warning)),
  },
  {
    id: "P003",
    name: "validation-error",
    severity: "warning",
    summary: "a `validation_errors` entry that the app or an agent has after the import",
    check: (app) => app.imported.validationErrors.map((sentence) => located(app, sentence)),
  },
  {
    id: "P004",
    name: "personal-data",
    severity: "warning",
    summary:
      "what seems to be a card number, bank account, national id, mail address or phone number of a person in an evaluation",
    check: personalData,
  },
];

/** Evaluations that are made of conversations have what people said in them (EVAL-110). */
function* personalData({ evaluations, evaluationFiles, personalData: find }: LintedApp): Iterable<Report> {
  for (const document of [...evaluations.map((each) => each.document), ...evaluationFiles]) {
    for (const { path, kinds } of find(document.value)) {
      const message = `seems to have personal data (${kinds.join(", ")}); if it is a person's, write an invented one, such as ada@example.com`;
      yield { place: placeOf(document, path), message };
    }
  }
}

/** A violation of an import at its place, with the names that the app has where one of them is wrong. */
export function locatedViolation(app: LintedApp, { field, description }: FieldViolation): Report {
  const { place, message } = located(app, `${field}: ${description}`);
  const file = app.files.keys().find((path) => message.startsWith(`${path}:`)) ?? "";
  const sentence = message.slice(file.length).replace(/^(?::\d+)*: /, "");
  return { place, message: withKnownNames(sentence, app) };
}

/** A sentence at the file, and the line or field, that it begins with or names. */
function located(app: LintedApp, sentence: string): Report {
  const place = fileIn(app, sentence) ??
    resourceIn(app, sentence) ?? { file: app.app?.document.source.file ?? app.prefix };
  const message = sentence.replace(/\.$/, "");
  return { place, message };
}

/** `path:line:column: …`, `path: field: …`, or either after words such as `Tool 'x' was removed due to import error: `. */
function fileIn(app: LintedApp, sentence: string): Place | undefined {
  for (const [path, source] of app.files) {
    const start = sentence.indexOf(path);
    if (start === -1 || (start > 0 && !sentence.slice(0, start).endsWith(": "))) continue;
    const rest = sentence.slice(start + path.length);
    const [, line, column] = /^:(\d+):(\d+):/.exec(rest) ?? [];
    if (line) return { file: source.file, line: Number(line), column: Number(column) };
    const [, field] = /^: ([\w.[\]"-]+):/.exec(rest) ?? [];
    const resource = resourceOf(app, source.file);
    return resource && field ? fieldPlace(resource, field) : source.placeAt(0);
  }
  return undefined;
}

/** `Agent 'x', before_model_callbacks[0]: line 3, column 5: …`, `Tool 'x', python_function: line 2, column 1: …`. */
function resourceIn(app: LintedApp, sentence: string): Place | undefined {
  const [, kind, name, field = "", line, column] =
    /^(Agent|Tool|Toolset|Guardrail) '([^']*)'(?:, ([\w.[\]]+))?(?:.*?: line (\d+), column (\d+))?/.exec(sentence) ??
    [];
  if (kind === undefined) return appField(app, sentence);
  const lists = { Agent: app.agents, Tool: app.tools, Toolset: app.toolsets, Guardrail: app.guardrails };
  const resource = lists[kind as keyof typeof lists].find(({ displayName }) => displayName === name);
  if (!resource) return undefined;
  const code = line === undefined ? undefined : codeOf(app, resource, field);
  if (code) return { file: code, line: Number(line), column: Number(column) };
  return (field === "instruction" ? referencePlace(app, resource, sentence) : undefined) ?? fieldPlace(resource, field);
}

/** Where the reference that a sentence begins with (`instruction: {@TOOL: x} names …`) is in an agent's instruction. */
function referencePlace(app: LintedApp, resource: LintedResource, sentence: string): Place | undefined {
  const instruction = app.agents.find((each) => each === resource)?.instruction;
  const [reference] = /\{@[^{}]*\}/.exec(sentence) ?? [];
  const at = reference === undefined ? -1 : (instruction?.text.indexOf(reference) ?? -1);
  return at < 0 ? undefined : instruction?.placeAt(at);
}

/** `field.of.the.app: …`. */
function appField({ app }: LintedApp, sentence: string): Place | undefined {
  const [, field] = /^([a-z][\w.[\]]*): /.exec(sentence) ?? [];
  return app && fieldPlace(app, field ?? "");
}

function codeOf(app: LintedApp, resource: LintedResource, field: string): string | undefined {
  const agent = app.agents.find((each) => each === resource);
  const [, stage, index] = /^(\w+)\[(\d+)\]/.exec(field) ?? [];
  if (agent && stage !== undefined)
    return agent.callbacks.find((each) => each.stage === stage && each.path[1] === Number(index))?.code?.file;
  return (app.tools.find((each) => each === resource)?.code ?? guardrailCode(app, resource, field))?.file;
}

/** The file of a guardrail's code, by the name of its function. */
function guardrailCode(app: LintedApp, resource: LintedResource, stage: string): SourceText | undefined {
  if (!app.guardrails.includes(resource)) return undefined;
  const name = stage.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return app.files.get(textField(objectField(objectField(resource.manifest, "codeCallback"), name), "pythonCode"));
}

function resourceOf(app: LintedApp, file: string): LintedResource | undefined {
  const { agents, tools, toolsets, guardrails, evaluations, expectations } = app;
  const all = [...agents, ...tools, ...toolsets, ...guardrails, ...evaluations, ...expectations];
  return [...(app.app ? [app.app] : []), ...all].find(({ document }) => document.source.file === file);
}

/** A field of a manifest, whichever spelling the sentence and the manifest have. */
function fieldPlace({ document, manifest }: LintedResource, field: string): Place {
  const path = parseFieldPath(field).map((key) =>
    typeof key === "string" ? key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : key,
  );
  const [first, ...rest] = path;
  return placeOf(document, typeof first === "string" ? [keyOf(manifest, first), ...rest] : []);
}
