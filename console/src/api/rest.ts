import { noteRefusal, readAccess } from "./access-token.ts";

/** Reads over the REST form of the API, which alone can be asked for a part of an answer (`fields`). Throws what is refused. */
export async function readRest<Answer>(path: string, signal: AbortSignal): Promise<Answer> {
  const { token } = readAccess();
  const answer = await fetch(`/v1beta/${path}`, {
    signal,
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  });
  if (answer.status === 401) noteRefusal(token, await messageOf(answer));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return (await answer.json()) as Answer;
}

async function messageOf(answer: Response): Promise<string> {
  const told: { readonly error?: { readonly message?: string } } = await answer.json().catch(() => ({}));
  return told.error?.message ?? "";
}
