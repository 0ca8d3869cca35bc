import type { DescField } from "@bufbuild/protobuf";
import { fieldId } from "../message/message-fields.ts";

/** Fields whose value depends on where an app runs: exports move them to `environment.json` (PKG-21). */
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
