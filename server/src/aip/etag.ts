import { createHash } from "node:crypto";
import { type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { withoutOutputOnly } from "./field-behavior.ts";

/**
 * The etag of a resource (AIP-154): a hash of what clients can set. Fields that the server computes (times, counts, validation
 * errors) are left out of the hash, so that a change of another resource does not make a client's copy stale.
 */
export function etagOf(desc: DescMessage, message: Message): string {
  const content = reflect(desc, withoutOutputOnly(desc, message));
  for (const field of desc.fields) if (field.name === "etag") content.clear(field);
  return createHash("sha256").update(toBinary(desc, content.message)).digest("base64url").slice(0, 22);
}
