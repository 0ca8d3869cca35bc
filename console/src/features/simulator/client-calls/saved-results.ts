import type { JsonObject } from "@bufbuild/protobuf";

/** A remembered result of a client function. */
export interface SavedResult {
  readonly response: JsonObject;
  /** Whether it is sent without asking. */
  readonly automatic: boolean;
}

const keyOf = (app: string) => `frontdesk.results.${app}`;

/** The results that this browser remembers for the client functions of an app, by display name. */
export function readSavedResults(app: string): Readonly<Record<string, SavedResult>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(app)) ?? "{}");
    return typeof stored === "object" && stored !== null ? (stored as Record<string, SavedResult>) : {};
  } catch {
    return {};
  }
}

/** Remembers the result of one client function, or forgets it. */
export function writeSavedResult(app: string, tool: string, result: SavedResult | undefined): void {
  const { [tool]: _, ...others } = readSavedResults(app);
  try {
    localStorage.setItem(keyOf(app), JSON.stringify(result ? { ...others, [tool]: result } : others));
  } catch {
    // Without room the next call is answered from scratch.
  }
}
