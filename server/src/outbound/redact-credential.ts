import type { EgressResponse, EgressStream } from "#base";
import type { Credential } from "./credentials.ts";

/** Shorter values would match unrelated text. */
const MIN_LENGTH = 6;

const REPLACEMENT = "[credential]";

/** Replaces the credential where the response repeats it, because models and transcripts read responses. */
export function redactCredential(response: EgressResponse, credential: Credential): EgressResponse {
  const body = Buffer.from(response.body);
  const found = spellingsOf(credential).filter((secret) => body.includes(secret, 0, "latin1"));
  if (found.length === 0) return response;
  const text = found.reduce((left, secret) => left.replaceAll(secret, REPLACEMENT), body.toString("latin1"));
  return { ...response, body: Buffer.from(text, "latin1") };
}

/** The same for a streamed response. Bytes that may begin the credential are held back until the next chunk decides. */
export function redactCredentialInStream(response: EgressStream, credential: Credential): EgressStream {
  const body = spellingsOf(credential).reduce<AsyncIterable<Uint8Array>>(redactText, response.body);
  return { ...response, body };
}

async function* redactText(body: AsyncIterable<Uint8Array>, secret: string): AsyncGenerator<Uint8Array> {
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
function spellingsOf(credential: Credential): readonly string[] {
  const value = valueOfCredential(credential).toWellFormed();
  if (value.length < MIN_LENGTH) return [];
  const inQuery = new URLSearchParams({ value }).toString().slice("value=".length);
  return [...new Set([value, inQuery, encodeURIComponent(value)])].map((text) => Buffer.from(text).toString("latin1"));
}

function valueOfCredential(credential: Credential): string {
  switch (credential.kind) {
    case "none":
      return "";
    case "bearer":
      return credential.token;
    default:
      return credential.value;
  }
}
