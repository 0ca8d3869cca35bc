/**
 * Most values of one message: fields, members of objects and items of lists, at all levels (WIRE-23). Decoding takes the event loop about a
 * millisecond per thousand of them; the length of texts hardly counts.
 */
export const MAX_VALUES = 100_000;

/** Whether JSON has more values than a body may have. Reads it once and builds nothing. Invalid JSON is not noticed. */
export function hasTooManyValues(body: Uint8Array): boolean {
  if (body.length < MAX_VALUES) return false;
  let values = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfText(body, at);
    else if (byte === COMMA || byte === LIST || byte === OBJECT) values++;
    if (values > MAX_VALUES) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = Buffer.from('"\\,[{');

/** Place of the quote that ends the text which begins at `start`. */
function endOfText(body: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}
