import { accessState, reportRejectedToken } from "./access-token.ts";

/** Reads over REST, the only protocol of the API with partial responses (`fields`). Throws the API's error. */
export async function readRest<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const { token } = accessState();
  const answer = await fetch(`/v1beta/${path}`, {
    signal: signal ?? null,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
  if (answer.status === 401) reportRejectedToken(token, await messageOf(answer));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return (await answer.json()) as Answer;
}

async function messageOf(answer: Response): Promise<string> {
  const body: { readonly error?: { readonly message?: string } } = await answer.json().catch(() => ({}));
  return body.error?.message ?? "";
}
