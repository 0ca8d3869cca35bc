import { clone, fromJson, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { type Part, type Task, TaskSchema } from "@frontdesk/protos/a2a/a2a";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { JsonObject, JsonValue } from "#base";
import { mapObject, type Redaction, redactTexts } from "#session";
import { textPart } from "../messages/to-parts.ts";

/** A task as it may be stored: without personal data when its app redacts, like its conversation (CONV-13, A2A-14). */
export async function storableTask(task: Task, { app }: AppSnapshot, redaction: Redaction): Promise<Task> {
  const config = app?.loggingSettings?.redactionConfig;
  if (!app || !config?.enableRedaction) return task;
  return redactTexts(redaction.redactorFor(config, app.name), task, mapTask);
}

function mapTask(task: Task, change: (text: string) => string): Task {
  const copy = clone(TaskSchema, task);
  const mapParts = (parts: readonly Part[]) => parts.map((part) => mapPart(part, change));
  for (const message of copy.history) {
    message.parts = mapParts(message.parts);
    message.metadata = mapMetadata(message.metadata, change);
  }
  for (const artifact of copy.artifacts) {
    artifact.parts = mapParts(artifact.parts);
    artifact.metadata = mapMetadata(artifact.metadata, change);
  }
  const { status } = copy;
  if (status?.message) status.message.parts = mapParts(status.message.parts);
  copy.metadata = mapMetadata(copy.metadata, change);
  return copy;
}

function mapPart(part: Part, change: (text: string) => string): Part {
  const { content } = part;
  switch (content.case) {
    case "text":
    case "url":
      return { ...part, content: { case: content.case, value: change(content.value) } };
    case "data": {
      const { value } = mapObject({ value: toJson(ValueSchema, content.value) as JsonValue }, change);
      return { ...part, content: { case: "data", value: fromJson(ValueSchema, value ?? null) } };
    }
    case "raw":
      // No detector reads files, so they are not stored.
      return textPart(`[BLOB ${part.mediaType}]`);
    default:
      return part;
  }
}

function mapMetadata(metadata: JsonObject | undefined, change: (text: string) => string): JsonObject | undefined {
  return metadata && mapObject(metadata, change);
}
