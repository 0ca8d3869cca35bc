import type { ToolCall } from "@frontdesk/protos/ces/example";
import type { ClientResult } from "../turn-input.ts";
import { resultOf } from "./result-of.ts";
import { readSavedResults } from "./saved-results.ts";

/** The results that are sent without asking; undefined unless every call has one. */
export function automaticResults(app: string, calls: readonly ToolCall[]): readonly ClientResult[] | undefined {
  const saved = readSavedResults(app);
  const results = calls.flatMap((call) => {
    const result = saved[call.displayName];
    return result?.automatic ? [resultOf(call, result.response)] : [];
  });
  return calls.length > 0 && results.length === calls.length ? results : undefined;
}
