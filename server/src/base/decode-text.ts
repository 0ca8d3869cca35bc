/**
 * The text of a body in the charset of its media type (`text/csv; charset=iso-8859-1`), else in UTF-8. A charset of no known name counts as
 * none. What is no text of the charset becomes U+FFFD, and a byte order mark is left out.
 */
export function decodeText(body: Uint8Array, contentType = ""): string {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? "utf-8";
  return new TextDecoder(isKnown(charset) ? charset : "utf-8").decode(body);
}

function isKnown(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding !== "";
  } catch {
    return false;
  }
}
