import type { Artifact, Part } from "@a2a-js/sdk";
import type { JsonObject, JsonValue } from "#base";

/** What parts of a remote agent's answer say, by what they are for. */
export interface ReadParts {
  readonly text: string;
  /** Values of data parts, in order. */
  readonly data: readonly JsonValue[];
  /** Files by name, media type and address or size; their bytes are not for a prompt. */
  readonly files: readonly JsonObject[];
}

/** Reads the parts of a message or of an artifact (A2A 1.0, Part). */
export function readParts(parts: readonly Part[]): ReadParts {
  const text: string[] = [];
  const data: JsonValue[] = [];
  const files: JsonObject[] = [];
  for (const part of parts) {
    switch (part.content?.$case) {
      case "text":
        text.push(part.content.value);
        break;
      case "data":
        // The wire's own JSON.
        data.push((part.content.value ?? null) as JsonValue);
        break;
      case "url":
        files.push({ ...namesOf(part), url: part.content.value });
        break;
      case "raw":
        files.push({ ...namesOf(part), bytes: part.content.value.length });
        break;
      case undefined:
        break;
    }
  }
  return { text: text.join("\n"), data, files };
}

/** All artifacts of a task as one answer. */
export function readArtifacts(artifacts: readonly Artifact[]): ReadParts {
  return readParts(artifacts.flatMap(({ parts }) => parts));
}

function namesOf({ filename, mediaType }: Part): JsonObject {
  return { ...(filename && { filename }), ...(mediaType && { mediaType }) };
}
