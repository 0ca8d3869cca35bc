import type { Caller } from "#base";
import type { SqlSource } from "#warehouse";

/** Lets some statements run at the same time; others wait, in one line for each caller, and the lines take turns. */
export interface Admission {
  /** Resolves with the function that gives the place back. Rejects when `signal` fires, and with RESOURCE_EXHAUSTED when the line is full. */
  enter(line: string, signal: AbortSignal): Promise<() => void> | (() => void);
}

/** The source, whose statements wait for their turn where the embedded engine runs them (CA-64). Other engines have their own order. */
export function inTurn(source: SqlSource, caller: Caller | undefined, admission: Admission | undefined): SqlSource {
  if (!admission || source.dialect !== "duckdb") return source;
  const line = caller?.principal || "callers without a name";
  return {
    ...source,
    async query(request) {
      const leave = await admission.enter(line, request.signal);
      try {
        return await source.query(request);
      } finally {
        leave();
      }
    },
  };
}
