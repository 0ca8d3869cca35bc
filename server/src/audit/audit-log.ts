import { randomUUID } from "node:crypto";
import { appendFile, open } from "node:fs/promises";
import { type Clock, definedFields, type Logger } from "#base";
import { Code, toStatusError } from "#status";
import type { AuditRow, AuditStore } from "#storage";
import { AuditPlaceWriter } from "./audit-place.ts";
import type { AuditEntry, AuditLog, AuditPlace, RecordedEntry, StoredEntry } from "./contract.ts";
import { createRefusalLimit } from "./refusal-limit.ts";

interface AuditLogDeps {
  readonly store: Pick<AuditStore, "append">;
  /** Opened with each batch, so that it may be rotated at any time. Default: none. */
  readonly file?: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of entries that could be written neither at once nor later. Default: nobody is. */
  readonly onLost?: (place: AuditPlace, count: number) => void;
}

/** The store, and a file beside it when there is one. Entries that wait at the same time are written together. */
export function createAuditLog({ store, file, clock, logger, onLost = () => {} }: AuditLogDeps): AuditLog {
  const places = [
    new AuditPlaceWriter({
      name: "store",
      write: (entries) => store.append(entries.map(toRow)),
      mayPass: (error) => toStatusError(error).code === Code.Unavailable,
      ...{ onLost, logger },
    }),
    ...(file === undefined ? [] : [new AuditPlaceWriter({ name: "file", write: appenderOf(file), onLost, logger })]),
  ];
  const write = async (entry: AuditEntry): Promise<void> => {
    const recorded = { ...entry, entryId: randomUUID() };
    await Promise.all(places.map((place) => place.append(recorded)));
  };
  const refusals = createRefusalLimit(write, clock);
  return {
    append: (entry) => refusals.append(entry),
    state: () => places.map(({ name, waiting, fault }) => ({ place: name, waiting, ...definedFields({ fault }) })),
    async close() {
      await refusals.flush();
      await Promise.all(places.map((place) => place.close()));
    },
  };
}

/** Appends lines to a file that is made when it is not there. */
function appenderOf(path: string): (entries: readonly RecordedEntry[]) => Promise<void> {
  /** Whether a piece of a line may stand at the end of the file: the disk was full. */
  let isTorn = false;
  return async (entries) => {
    // Else the next entry would go on where a piece of another one ends, and both be lost.
    const start = isTorn && !(await endsWithLine(path)) ? "\n" : "";
    isTorn = true;
    await appendFile(path, start + linesOf(entries), { mode: 0o600 });
    isTorn = false;
  };
}

/** Whether a file is empty, is not there, or ends with a whole line. */
async function endsWithLine(path: string): Promise<boolean> {
  const handle = await open(path).catch(() => undefined);
  if (!handle) return true;
  try {
    const { size } = await handle.stat();
    if (size === 0) return true;
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer.toString() === "\n";
  } finally {
    await handle.close();
  }
}

function linesOf(entries: readonly RecordedEntry[]): string {
  return entries.map((entry) => `${JSON.stringify({ ...entry, time: new Date(entry.time).toISOString() })}\n`).join("");
}

function toRow({ time, principal, method, resource, entryId, ...rest }: RecordedEntry): AuditRow {
  return { id: 0, time, principal, method, resource, body: JSON.stringify(rest), entry: entryId };
}

/** An entry as it was appended. */
export function toEntry({ id, time, principal, method, resource, body }: AuditRow): StoredEntry {
  return { ...(JSON.parse(body) as Omit<AuditEntry, "time">), id, time, principal, method, resource };
}
