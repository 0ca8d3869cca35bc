import { type EgressResponse, type EgressStream, withheld } from "#base";
import type { Credential } from "./credentials.ts";

/** Replaces the credential where the response repeats it, because models and transcripts read responses. */
export async function redactCredential(response: EgressResponse, credential: Credential): Promise<EgressResponse> {
  const parts = await Array.fromAsync(withheld(only(response.body), [valueOfCredential(credential)]));
  return { ...response, body: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts) };
}

async function* only(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

/** The same for a streamed response. */
export function redactCredentialInStream(response: EgressStream, credential: Credential): EgressStream {
  return { ...response, body: withheld(response.body, [valueOfCredential(credential)]) };
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
