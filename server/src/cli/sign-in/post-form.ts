import { isJsonObject, type JsonObject } from "#base";
import { CommandError } from "../command.ts";

/** Posts a form, as the endpoints of OAuth take it. Throws `CommandError` when no server answers in JSON. */
export async function postForm(
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<{ readonly ok: boolean; readonly body: JsonObject }> {
  const { origin } = new URL(url);
  const response = await fetch(url, { method: "POST", body: new URLSearchParams(fields) }).catch((error: Error) => {
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw new CommandError(`no server responds at ${origin}: ${message}`);
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!isJsonObject(body))
    throw new CommandError(`${origin} is not a Frontdesk server: it answered ${response.status}.`);
  return { ok: response.ok, body };
}
