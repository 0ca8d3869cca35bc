import type { EgressResponse, EgressStream } from "#base";
import type { Credential } from "./credentials.ts";

/** Shorter values would be found in words that have nothing to do with them. */
const SHORTEST = 6;

/** An answer in which the other side does not repeat what it was shown: models and records read answers. */
export function withoutCredential(answer: EgressResponse, credential: Credential): EgressResponse {
  const value = valueOfCredential(credential);
  if (value.length < SHORTEST || !Buffer.from(answer.body).includes(value)) return answer;
  const text = Buffer.from(answer.body).toString("latin1");
  const shown = Buffer.from(value).toString("latin1");
  return { ...answer, body: Buffer.from(text.replaceAll(shown, "[credential]"), "latin1") };
}

/** The same for an answer that is read as it comes. What may be the beginning of the credential waits for the rest of it. */
export function streamWithoutCredential(answer: EgressStream, credential: Credential): EgressStream {
  const value = valueOfCredential(credential);
  if (value.length < SHORTEST) return answer;
  return { ...answer, body: withoutText(answer.body, Buffer.from(value).toString("latin1")) };
}

async function* withoutText(body: AsyncIterable<Uint8Array>, shown: string): AsyncGenerator<Uint8Array> {
  let rest = "";
  for await (const chunk of body) {
    const text = (rest + Buffer.from(chunk).toString("latin1")).replaceAll(shown, "[credential]");
    const begun = beginningAtEnd(text, shown);
    rest = text.slice(text.length - begun);
    if (begun < text.length) yield Buffer.from(text.slice(0, text.length - begun), "latin1");
  }
  if (rest !== "") yield Buffer.from(rest, "latin1");
}

/** How many characters at the end of a text are the beginning of another, at most all but one of it. */
function beginningAtEnd(text: string, other: string): number {
  for (let length = Math.min(text.length, other.length - 1); length > 0; length--)
    if (text.endsWith(other.slice(0, length))) return length;
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
