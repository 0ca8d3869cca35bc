import { Code, ConnectError } from "@connectrpc/connect";
import { accessState, reportRejectedToken } from "./access-token.ts";
import { credentialHeaders } from "./session.ts";

/** Reads over REST, the only protocol of the API with partial responses (`fields`). Throws the API's error. */
export function readRest<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return callRest(path, { signal: signal ?? null });
}

/** Posts to a method over REST, for calls of which no other page needs the definitions. Throws the API's error. */
export function postRest<Answer>(path: string, body: object): Promise<Answer> {
  return callRest(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
}

/** Calls a path below `base`; default the API in its current revision. Throws the API's error. */
export async function callRest<Answer>(path: string, init: RequestInit, base = "/v1beta/"): Promise<Answer> {
  const headers = { ...init.headers, ...(await credentialHeaders()) };
  const { token } = accessState();
  const answer = await fetch(`${base}${path}`, { ...init, headers });
  const body = await answer.json().catch(() => undefined);
  // What is no JSON is none of the server's: the clients of the other protocol say it in these words, too.
  if (answer.ok && body === undefined)
    throw new ConnectError(`unsupported content type ${answer.headers.get("content-type")}`, Code.Unknown);
  if (answer.ok) return body as Answer;
  const error = (body as { readonly error?: { readonly message?: string; readonly status?: string } } | undefined)
    ?.error;
  const message = error?.message ?? `HTTP ${answer.status}`;
  if (answer.status === 401) reportRejectedToken(token, message);
  throw new ConnectError(message, codeOf(error?.status ?? ""));
}

/** `PERMISSION_DENIED` as Connect's clients number it. */
function codeOf(status: string): Code {
  const name = status.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Code[name as keyof typeof Code] ?? Code.Unknown;
}
