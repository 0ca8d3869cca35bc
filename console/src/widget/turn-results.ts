import type { JsonObject } from "./rich-content.ts";
import type { Texts } from "./texts.ts";

/** What a function of the page came to, as the response of the call. */
export function toResponse(result: unknown): JsonObject {
  const isRecord = typeof result === "object" && result !== null && !Array.isArray(result);
  return (isRecord ? result : { result: result ?? null }) as JsonObject;
}

/** What the end user reads. The page gets the server's message with `frontdesk-error`, because it may name settings. */
export function errorMessage(error: unknown, texts: Texts): string {
  const { status, message } = error as { readonly status?: string; readonly message: string };
  if (status === "NOT_FOUND") console.error(message);
  // Which page may not; how to allow it is for its developer.
  if (status === "PERMISSION_DENIED") return `${message.split(". ")[0]?.replace(/\.$/, "")}.`;
  if (status === "INVALID_ARGUMENT") return texts.rejected;
  return texts.unavailable;
}
