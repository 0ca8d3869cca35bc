import type { EgressResponse, EgressStream } from "#base";
import type { Credential } from "./credentials.ts";

/** Shorter values would match unrelated text. */
const MIN_LENGTH = 6;

/** Replaces the credential where the response repeats it, because models and transcripts read responses. */
export function redactCredential(response: EgressResponse, credential: Credential): EgressResponse {
  const value = valueOfCredential(credential);
  if (value.length < MIN_LENGTH || !Buffer.from(response.body).includes(value)) return response;
  const text = Buffer.from(response.body).toString("latin1");
  const secret = Buffer.from(value).toString("latin1");
  return { ...response, body: Buffer.from(text.replaceAll(secret, "[credential]"), "latin1") };
}

/** The same for a streamed response. Bytes that may begin the credential are held back until the next chunk decides. */
export function redactCredentialInStream(response: EgressStream, credential: Credential): EgressStream {
  const value = valueOfCredential(credential);
  if (value.length < MIN_LENGTH) return response;
  return { ...response, body: redactText(response.body, Buffer.from(value).toString("latin1")) };
}

async function* redactText(body: AsyncIterable<Uint8Array>, secret: string): AsyncGenerator<Uint8Array> {
  let rest = "";
  for await (const chunk of body) {
    const text = (rest + Buffer.from(chunk).toString("latin1")).replaceAll(secret, "[credential]");
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
