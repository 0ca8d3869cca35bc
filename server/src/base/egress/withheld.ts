/** Shorter values would match unrelated text. */
const MIN_LENGTH = 6;

const REPLACEMENT = "[credential]";

/** The body without these secrets, as they are and as addresses spell them. Bytes that may begin one are held back until the next chunk decides. */
export function withheld(body: AsyncIterable<Uint8Array>, secrets: readonly string[]): AsyncIterable<Uint8Array> {
  return secrets.flatMap(spellingsOf).reduce<AsyncIterable<Uint8Array>>(withoutText, body);
}

async function* withoutText(body: AsyncIterable<Uint8Array>, secret: string): AsyncGenerator<Uint8Array> {
  let rest = "";
  for await (const chunk of body) {
    const text = (rest + Buffer.from(chunk).toString("latin1")).replaceAll(secret, REPLACEMENT);
    const begun = prefixLengthAtEnd(text, secret);
    rest = text.slice(text.length - begun);
    if (begun < text.length) yield Buffer.from(text.slice(0, text.length - begun), "latin1");
  }
  if (rest !== "") yield Buffer.from(rest, "latin1");
}

/** Length of the longest proper prefix of `secret` with which `text` ends. */
function prefixLengthAtEnd(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}

/** As it is, and as addresses spell it, of which error messages tell; one character a byte. */
function spellingsOf(secret: string): readonly string[] {
  const value = secret.toWellFormed();
  if (value.length < MIN_LENGTH) return [];
  const inQuery = new URLSearchParams({ value }).toString().slice("value=".length);
  return [...new Set([value, inQuery, encodeURIComponent(value)])].map((text) => Buffer.from(text).toString("latin1"));
}
