import type { Connection } from "tedious";
import { QueryError } from "../contract.ts";
import type { WireColumn } from "./wire-types.ts";

/** A cell of a row, with its column. */
interface WireCell {
  readonly value: unknown;
  readonly metadata: WireColumn;
}

/** Reads what a batch answers. */
export interface BatchReader {
  /** Called for each result of the batch. */
  columns?(columns: readonly WireColumn[]): void;
  /** Answers whether there is room for more rows; what it throws is the error of the batch. */
  row?(cells: readonly WireCell[]): boolean;
}

/**
 * Runs a batch, and resolves with whether all of it was read: "ended" where the reader had enough. At an aborted signal, and where the reader throws, the server is told to end it.
 */
export async function runBatch(
  connection: Connection,
  sql: string,
  reader: BatchReader = {},
  signal: AbortSignal,
): Promise<"whole" | "ended"> {
  signal.throwIfAborted();
  const { default: tedious } = await import("tedious");
  const ending: { done: boolean; error?: unknown } = { done: false };
  return new Promise((resolve, reject) => {
    const onAbort = () => end();
    const request = new tedious.Request(sql, (error) => {
      signal.removeEventListener("abort", onAbort);
      if (ending.error !== undefined) reject(ending.error);
      else if (ending.done && !signal.aborted) resolve("ended");
      else if (error) reject(firstOf(error));
      else resolve("whole");
    });
    const end = (error?: unknown) => {
      if (ending.done) return;
      ending.done = true;
      ending.error = error;
      request.cancel();
    };
    request.on("columnMetadata", (columns) => reader.columns?.(columns as readonly WireColumn[]));
    request.on("row", (cells: readonly WireCell[]) => {
      if (ending.done) return;
      try {
        if (reader.row?.(cells) === false) end();
      } catch (error) {
        end(error);
      }
    });
    signal.addEventListener("abort", onAbort, { once: true });
    connection.execSqlBatch(request);
  });
}

/** Of several errors the first says why. */
function firstOf(error: Error): unknown {
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first ?? error ?? new QueryError("failed", "SQL Server gave no reason.");
}
