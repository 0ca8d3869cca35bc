import type { JsonObject, JsonValue } from "#base";
import type { SchemaSide } from "./inline-schema.ts";

/** Inlines a schema of the operation that is being read. */
export type Inline = (schema: JsonValue | undefined, side: SchemaSide) => JsonObject;

/** Things of one kind that an operation may have: no people write more, and each is looked at for each operation. */
export const MOST_OF_A_KIND = 500;

/** A list of a document; what is none is an empty one. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value.slice(0, MOST_OF_A_KIND) : [];
}

/** A text of a document; what is none is an empty one. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}

/** What a session fills a thing with, by its annotation (ces-runtime 4.3). */
export function filledBy({ "x-ces-session-context": expression }: JsonObject): string | undefined {
  return typeof expression === "string" ? expression : undefined;
}
