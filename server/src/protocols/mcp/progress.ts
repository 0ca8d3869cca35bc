import { isJsonObject, type JsonObject } from "#base";
import type { Progress } from "./tool.ts";

/** Longest text of a notice, characters: it is a line that a person glances at. */
const MAX_TEXT = 500;

/** Progress notifications for the token that a request gave; undefined when it gave none. */
export function progressOf({ _meta }: JsonObject, send: (message: string) => void): Progress | undefined {
  const token = isJsonObject(_meta) ? _meta.progressToken : undefined;
  if (typeof token !== "string" && typeof token !== "number") return undefined;
  let count = 0;
  return (message) => {
    count += 1;
    const params = { progressToken: token, progress: count, message: message.slice(0, MAX_TEXT) };
    send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params }));
  };
}
