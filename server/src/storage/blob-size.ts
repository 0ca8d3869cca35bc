import { resourceExhausted } from "#status";

/** Bytes that one blob may have: 64 MiB. */
const MAX_BLOB_BYTES = 64 * 1024 * 1024;

/** Throws RESOURCE_EXHAUSTED for a blob that is too large. */
export function requireBlobSize({ byteLength: size }: Uint8Array): void {
  if (size <= MAX_BLOB_BYTES) return;
  throw resourceExhausted(`A stored file has at most ${MAX_BLOB_BYTES} bytes; this one has ${size}.`, {
    reason: "BLOB_TOO_LARGE",
  });
}
