import type { DescField } from "@bufbuild/protobuf";
import { inputOnlyHint } from "./input-only-hint.ts";

/** What is not plain from a field's name, by `Message.field`. */
const HINTS: Readonly<Record<string, string>> = {
  "App.locked": "A locked app refuses changes of its resources until it is unlocked.",
  "App.pinned": "Shown first in lists.",
  "App.root_agent": "The agent that begins each conversation.",
  "App.global_instruction": "Stands before the instruction of every agent.",
  "Agent.description": "Other agents read this when they decide whom to hand over to.",
  "ModelSettings.model": "Empty: the app's model, or the server's default.",
  "ModelSettings.temperature": "0 is steady, 2 is free. Empty: the model's own.",
  "TimeZoneSettings.time_zone": "A name of the tz database, e.g. Europe/Berlin.",
  "LanguageSettings.default_language_code": "A BCP-47 tag, e.g. en-US.",
  "LanguageSettings.supported_language_codes": "BCP-47 tags, e.g. de-DE.",
  "Callback.proactive_execution_enabled": "Runs while the user is still being listened to.",
  "ConversationLoggingSettings.retention_window": "How long conversations are kept, up to two years.",
  "PythonFunction.name": "The function that is run. Empty: the first one of the code.",
  "OpenApiToolset.url": "Takes the place of $env_var in the document's server.",
  "OpenApiTool.url": "Takes the place of $env_var in the document's server.",
  "McpToolset.server_address": "An address of MCP over Streamable HTTP.",
  "Guardrail.enabled": "A guardrail that is off checks nothing.",
};

/** One sentence on what belongs into a field, where its name does not say it. */
export function hintFor(field: DescField): string | undefined {
  return HINTS[`${field.parent.name}.${field.name}`] ?? inputOnlyHint(field);
}
