import type { DescField } from "@bufbuild/protobuf";
import { isOutputOnly, referenceOf, snakeCase } from "#aip";
import { type Kind, kindOfType } from "./kinds.ts";
import { fieldId } from "./message-fields.ts";

/** References of the API without a `resource_reference` annotation. */
const UNANNOTATED: ReadonlyMap<string, string> = new Map([
  ["WidgetTool.DataMapping.source_tool_name", "ces.googleapis.com/Tool"],
  ["AgentTool.root_agent", "ces.googleapis.com/Agent"],
]);

/** The kind of resource of the same app that a field refers to; undefined for any other field. */
export function referencedKind(field: DescField): Kind | undefined {
  return kindOfType(referenceOf(field)?.type ?? UNANNOTATED.get(fieldId(field)) ?? "");
}

/** Lists whose elements are dropped with the resource that they refer to. */
const DEPENDENT_ELEMENTS: ReadonlySet<string> = new Set(["Agent.toolsets", "Agent.transfer_rules"]);

/** Whether an element of the list is dropped with the resource that it refers to; elsewhere the whole resource is omitted. */
export function isDependentList(field: DescField): boolean {
  return DEPENDENT_ELEMENTS.has(fieldId(field));
}

/** Fields whose text is a file of its own (PKG-19), and that file's extension. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["App.global_instruction", "txt"],
  ["Agent.instruction", "txt"],
  ["Callback.python_code", "py"],
  ["PythonFunction.python_code", "py"],
  ["CodeBlock.python_code", "py"],
  ["PythonCodeCondition.python_code", "py"],
  ["WidgetTool.DataMapping.python_script", "py"],
  ["OpenApiToolset.open_api_schema", "yaml"],
  ["OpenApiTool.open_api_schema", "yaml"],
]);

/** Whether a field's text is a file of its own in a package. */
export function isTextField(field: DescField): boolean {
  return EXTENSIONS.has(fieldId(field));
}

/** Whether a field's text is Python. */
export function isPythonField(field: DescField): boolean {
  return EXTENSIONS.get(fieldId(field)) === "py";
}

/**
 * The path of a text's file below its resource's folder: the field's path with every name in snake_case and every list
 * position as a two-digit count from 1. `beforeAgentCallbacks[0].pythonCode` becomes
 * `before_agent_callbacks/before_agent_callbacks_01/python_code.py`. All known paths (PKG-19) follow this rule; it
 * is our choice for the others (guardrail callbacks, transfer rules).
 */
export function textPath(field: DescField, path: string): string {
  const parts = path.split(".").flatMap((part) => {
    const [, name = part, index] = /^(\w+)\[(\d+)\]$/.exec(part) ?? [];
    const folder = snakeCase(name);
    return index === undefined ? [folder] : [folder, `${folder}_${String(Number(index) + 1).padStart(2, "0")}`];
  });
  return `${parts.join("/")}.${EXTENSIONS.get(fieldId(field)) ?? "txt"}`;
}

/** Fields whose value depends on the environment: exports move them to `environment.json` (PKG-21). */
const ENVIRONMENT_FIELDS: ReadonlySet<string> = new Set([
  "DataStore.name",
  "DataStoreTool.EngineSource.engine",
  "DataStoreTool.BoostSpecs.data_stores",
  "AudioRecordingConfig.gcs_bucket",
  "ApiKeyConfig.key_name",
  "ApiKeyConfig.api_key_secret_version",
  "OAuthConfig.client_secret_version",
  "OAuthConfig.token_endpoint",
  "ServiceAccountAuthConfig.service_account",
  "ConnectorTool.connection",
  "ConnectorToolset.connection",
  "FileSearchTool.file_corpus",
  "RedactionConfig.inspect_template",
  "RedactionConfig.deidentify_template",
  "BigQueryExportSettings.project",
  "BigQueryExportSettings.dataset",
]);

/** Whether exports move a field's value to `environment.json`. */
export function isEnvironmentField(field: DescField): boolean {
  return ENVIRONMENT_FIELDS.has(fieldId(field));
}

/** Whether a field is the server URL that an OpenAPI tool or toolset has in `environment.json` only. */
export function isServerUrlField(field: DescField): boolean {
  return ["OpenApiToolset.url", "OpenApiTool.url"].includes(fieldId(field));
}

/**
 * Output-only fields that exports have all the same: they are in the hosted product's own files, or needed to understand a
 * golden (PKG-15, EVAL-3).
 */
const PACKAGED_OUTPUT_FIELDS: ReadonlySet<string> = new Set([
  "Tool.display_name",
  "PythonFunction.description",
  "ToolCall.display_name",
  "ToolResponse.display_name",
  "AgentTransfer.display_name",
  "Evaluation.evaluation_datasets",
  "Evaluation.invalid",
  "Example.invalid",
  "Span.name",
  "Span.start_time",
  "Span.end_time",
  "Span.duration",
  "Span.attributes",
  "Span.child_spans",
]);

/** Whether a package has the field: all but output-only fields and etags. */
export function isPackagedField(field: DescField): boolean {
  return field.name !== "etag" && (!isOutputOnly(field) || PACKAGED_OUTPUT_FIELDS.has(fieldId(field)));
}
