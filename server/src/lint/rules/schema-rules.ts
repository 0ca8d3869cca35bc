import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { EvaluationExpectationSchema, EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { behaviorsOf, FieldBehavior } from "#aip";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { checkJson } from "#resources";
import { placeOf } from "../app/document.ts";
import { parseFieldPath } from "../app/field-path.ts";
import type { LintedApp, LintedResource } from "../app/linted-app.ts";
import type { Report, Rule } from "../contract.ts";

/** V001 – V007: manifests as messages of the API. */
export const SCHEMA_RULES: readonly Rule[] = [
  schemaRule("V001", "schema-app-valid", "app", AppSchema, ({ app }) => (app ? [app] : [])),
  schemaRule("V002", "schema-agent-valid", "agent", AgentSchema, ({ agents }) => agents),
  schemaRule("V003", "schema-tool-valid", "tool", ToolSchema, ({ tools }) => tools),
  schemaRule("V004", "schema-toolset-valid", "toolset", ToolsetSchema, ({ toolsets }) => toolsets),
  schemaRule("V005", "schema-guardrail-valid", "guardrail", GuardrailSchema, ({ guardrails }) => guardrails),
  schemaRule("V006", "schema-evaluation-valid", "evaluation", EvaluationSchema, ({ evaluations }) => evaluations),
  schemaRule(
    "V007",
    "schema-eval-expectation-valid",
    "evaluation expectation",
    EvaluationExpectationSchema,
    ({ expectations }) => expectations,
  ),
];

function schemaRule(
  id: string,
  name: string,
  what: string,
  schema: DescMessage,
  resources: (app: LintedApp) => readonly LintedResource[],
): Rule {
  return {
    id,
    name,
    severity: "error",
    summary: `a value of a wrong type in an ${what}`.replace(/\ban (?=[^aeiou])/, "a "),
    check: (app) => resources(app).flatMap((resource) => differences(resource, schema)),
  };
}

/** Wrong values as errors; what the hosted product writes itself, unknown fields and missing required ones, as hints (LINT-4). */
function differences({ document, manifest }: LintedResource, schema: DescMessage): readonly Report[] {
  const problems = { wrong: [], remarks: [] as { path: string; reason: string }[] } as Parameters<typeof checkJson>[2];
  checkJson(schema, manifest, problems);
  const report = (path: string, reason: string): Report => ({
    place: placeOf(document, parseFieldPath(path)),
    message: `${path}: ${reason}`,
  });
  const hints = [...problems.remarks, ...missingRequired(schema, manifest, "")];
  return [
    ...problems.wrong.map(({ path, reason }) => report(path, reason)),
    ...hints.map(({ path, reason }) => ({ ...report(path, reason), severity: "info" as const })),
  ];
}

function missingRequired(schema: DescMessage, json: JsonObject, path: string): { path: string; reason: string }[] {
  return schema.fields.flatMap((field) => {
    const key = field.name in json ? field.name : field.jsonName;
    const value = json[key];
    const place = path === "" ? key : `${path}.${key}`;
    if (value === undefined || value === null)
      // `displayName` has a rule of its own.
      return path !== "" && behaviorsOf(field).has(FieldBehavior.REQUIRED)
        ? [{ path: place, reason: "is required by the API and missing" }]
        : [];
    return messagesIn(field, value, place).flatMap((inner) => missingRequired(inner.schema, inner.json, inner.path));
  });
}

function messagesIn(
  { message: schema, fieldKind }: DescField,
  value: JsonValue,
  path: string,
): readonly { readonly schema: DescMessage; readonly json: JsonObject; readonly path: string }[] {
  // Values of well-known types have JSON of their own.
  if (!schema || schema.typeName.startsWith("google.protobuf.")) return [];
  const entries = (): readonly (readonly [string, JsonValue])[] => {
    if (fieldKind === "list")
      return Array.isArray(value) ? value.map((item, index) => [`${path}[${index}]`, item]) : [];
    if (fieldKind !== "map") return [[path, value]];
    const items = isJsonObject(value) ? Object.entries(value) : [];
    return items.map(([key, item]) => [`${path}[${JSON.stringify(key)}]`, item]);
  };
  return entries().flatMap(([place, item]) => (isJsonObject(item) ? [{ schema, json: item, path: place }] : []));
}
