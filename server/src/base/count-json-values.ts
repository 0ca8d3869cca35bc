/**
 * Whether JSON has more values than `most`: members of objects, items of lists, and the paths of field masks, whose names the caller knows.
 * Reads it once and builds nothing. Invalid JSON is not noticed.
 */
export function hasMoreJsonValues(body: Uint8Array, most: number, masks: ReadonlySet<string> = NONE): boolean {
  if (body.length < most) return false;
  let values = 0;
  let key = { start: 0, end: 0 };
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) {
      const end = endOfText(body, at);
      // Only a long text can have many paths.
      if (end - at > LONG_TEXT && masks.size > 0 && masks.has(textAt(body, key))) values += count(body, COMMA, at, end);
      key = { start: at, end };
      at = end;
    } else if (byte === COMMA || byte === LIST || byte === OBJECT) values++;
    if (values > most) return true;
  }
  return false;
}

const NONE: ReadonlySet<string> = new Set();
const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = Buffer.from('"\\,[{');

/** Bytes that are looked at one by one; in a longer text the next quote is searched. */
const LONG_TEXT = 1_000;

/** Place of the quote that ends the text which begins at `start`. */
function endOfText(body: Uint8Array, start: number): number {
  let at = start + 1;
  for (;;) {
    const near = Math.min(body.length, at + LONG_TEXT);
    while (at < near && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
    if (at < near || at >= body.length) return at;
    const quote = body.indexOf(QUOTE as number, at);
    if (quote < 0) return body.length;
    if (!isEscaped(body, quote, at)) return quote;
    at = quote + 1;
  }
}

/** Whether an odd number of backslashes stands before a place; none of those before `from` counts. */
function isEscaped(body: Uint8Array, place: number, from: number): boolean {
  let at = place;
  while (at > from && body[at - 1] === BACKSLASH) at--;
  return (place - at) % 2 === 1;
}

/** A text as it is read; "" for one that is no JSON, or too long for a name. */
function textAt(body: Uint8Array, { start, end }: { readonly start: number; readonly end: number }): string {
  if (end - start > LONG_TEXT) return "";
  try {
    return String(JSON.parse(Buffer.from(body.subarray(start, end + 1)).toString()));
  } catch {
    return "";
  }
}

function count(body: Uint8Array, byte: number | undefined, start: number, end: number): number {
  let found = 0;
  for (let at = start; at < end; at++) if (body[at] === byte) found++;
  return found;
}
