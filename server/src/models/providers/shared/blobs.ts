/**
 * The text in place of an attachment that a model cannot read. An error instead would end the conversation for good, since the
 * history carries the attachment into every later call.
 */
export function unsupportedBlobText(mimeType: string): string {
  return `[An attachment of type ${mimeType} is here, which this model cannot read.]`;
}

/** Bytes as base64, without copying them first. */
export function toBase64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
}
