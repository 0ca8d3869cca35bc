import type { DescField } from "@bufbuild/protobuf";
import { fieldBehaviors, isDeprecated } from "./field-annotations.ts";

/** What is not plain from a field's name, by `Message.field`. */
const HINTS: Readonly<Record<string, string>> = {
  "App.locked": "A locked app rejects changes to its resources until you unlock it.",
  "App.pinned": "Pinned apps appear first in lists.",
  "App.root_agent": "The agent that starts each conversation.",
  "App.global_instruction": "Added before the instruction of every agent.",
  "Agent.description": "Other agents use this to decide when to transfer to this agent.",
  "ModelSettings.model": "Leave empty to use the model of the app, or the default of the server.",
  "ModelSettings.temperature":
    "0 is the most deterministic, 2 the most varied. Leave empty to use the default of the model.",
  "TimeZoneSettings.time_zone": "IANA time zone, for example Europe/Berlin.",
  "LanguageSettings.default_language_code": "BCP 47 language tag, for example en-US.",
  "LanguageSettings.supported_language_codes": "BCP 47 language tags, for example de-DE.",
  "Callback.proactive_execution_enabled": "Runs while the user is still speaking.",
  "ConversationLoggingSettings.retention_window": "How long conversations are kept, up to two years.",
  "PythonFunction.name": "Name of the function to call. Leave empty to call the first function.",
  "OpenApiToolset.url": "Replaces $env_var in the server URL of the schema.",
  "OpenApiTool.url": "Replaces $env_var in the server URL of the schema.",
  "McpToolset.server_address": "URL of an MCP server (Streamable HTTP).",
  "Guardrail.enabled": "A disabled guardrail checks nothing.",
};

/** One sentence on what belongs into a field, where its name does not say it. */
export function fieldHint(field: DescField): string | undefined {
  return HINTS[`${field.parent.name}.${field.name}`] ?? inputOnlyHint(field);
}

/** The hint that the annotations of a field imply. */
function inputOnlyHint(field: DescField): string | undefined {
  if (isDeprecated(field)) return "Deprecated. Kept for existing apps.";
  return fieldBehaviors(field).inputOnly ? "Write-only. The value is never returned." : undefined;
}
