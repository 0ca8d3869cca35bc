import { createHash } from "node:crypto";
import { clone, type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { JsonValue } from "#base";
import { type FieldViolation, invalidArgument } from "#status";

/** Page size when the client names none, and the most it can have (ListDeployments' comment; the other lists leave it open). */
export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 1000;

export interface PageSizeLimits {
  readonly defaultSize?: number;
  readonly maxSize?: number;
}

/** The page size to serve (AIP-158): zero is the default, too large is the maximum, negative is refused. */
export function pageSizeOf(
  requested: number,
  { defaultSize = DEFAULT_PAGE_SIZE, maxSize = MAX_PAGE_SIZE }: PageSizeLimits = {},
): number {
  if (requested < 0) throw invalidArgument({ field: "page_size", description: "The page size cannot be negative." });
  return requested === 0 ? defaultSize : Math.min(requested, maxSize);
}

/** Binds page tokens to a list request: everything of it but `page_size` and `page_token` must stay the same (AIP-158). */
export function requestChecksum(desc: DescMessage, request: Message): string {
  const copy = reflect(desc, clone(desc, request));
  for (const field of desc.fields) if (field.name === "page_size" || field.name === "page_token") copy.clear(field);
  return digest(`${desc.typeName}\n`, toBinary(desc, copy.message));
}

/** An opaque token for the position after which the next page starts. */
export function encodePageToken(position: JsonValue, checksum: string): string {
  const body = JSON.stringify(position);
  return Buffer.from(`${digest(checksum, body)}${body}`).toString("base64url");
}

/**
 * The position in a token of ours; undefined for the empty token. A token that was altered, or that belongs to another request, is
 * INVALID_ARGUMENT.
 */
export function decodePageToken(token: string, checksum: string): JsonValue | undefined {
  if (token === "") return undefined;
  const text = Buffer.from(token, "base64url").toString();
  const body = text.slice(CHECKSUM_LENGTH);
  if (text.slice(0, CHECKSUM_LENGTH) !== digest(checksum, body)) throw invalidArgument(WRONG_TOKEN);
  return JSON.parse(body) as JsonValue;
}

const CHECKSUM_LENGTH = 16;

const WRONG_TOKEN: FieldViolation = {
  field: "page_token",
  description:
    "The page token is not one that this request can continue with. Send next_page_token as it came, with all other fields unchanged, or leave it out to start again.",
};

function digest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("base64url").slice(0, CHECKSUM_LENGTH);
}
