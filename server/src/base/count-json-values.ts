/** Whether JSON has more values than `most`: members of objects and items of lists. Reads it once and builds nothing. Invalid JSON is not noticed. */
export function hasMoreJsonValues(body: Uint8Array, most: number): boolean {
  if (body.length < most) return false;
  let values = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfText(body, at);
    else if (byte === COMMA || byte === LIST || byte === OBJECT) values++;
    if (values > most) return true;
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
