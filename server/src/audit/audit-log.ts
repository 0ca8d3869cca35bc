import { appendFile, open } from "node:fs/promises";
import type { Logger } from "#base";
import type { AuditRow, AuditStore } from "#storage";
import type { AuditEntry, AuditLog, StoredEntry } from "./contract.ts";

interface AuditLogDeps {
  readonly store: Pick<AuditStore, "append">;
  /** Opened with each batch, so that it may be rotated at any time. Default: none. */
  readonly file?: string;
  readonly logger: Logger;
}

/** The store, and a file beside it when there is one. Entries that wait at the same time are written together. */
export function createAuditLog({ store, file, logger }: AuditLogDeps): AuditLog {
  let waiting: AuditEntry[] = [];
  let written = Promise.resolve();
  /** Whether a piece of a line may stand at the end of the file: the disk was full. */
  let isTorn = false;

  async function write(): Promise<void> {
    const entries = waiting;
    waiting = [];
    if (entries.length === 0) return;
    const writes = [store.append(entries.map(toRow)), file && writeLines(file, entries)];
    for (const outcome of await Promise.allSettled(writes)) {
      if (outcome.status === "rejected")
        logger.error({ err: outcome.reason, entries }, "entries of the audit log could not be written");
    }
  }

  async function writeLines(path: string, entries: readonly AuditEntry[]): Promise<void> {
    // Else the next entry would go on where a piece of another one ends, and both be lost.
    const start = isTorn && !(await endsWithLine(path)) ? "\n" : "";
    isTorn = true;
    await appendFile(path, start + linesOf(entries), { mode: 0o600 });
    isTorn = false;
  }

  return {
    append(entry) {
      waiting.push(entry);
      written = written.then(write);
      return written;
    },
    close: () => written,
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

function linesOf(entries: readonly AuditEntry[]): string {
  return entries.map((entry) => `${JSON.stringify({ ...entry, time: new Date(entry.time).toISOString() })}\n`).join("");
}

function toRow(entry: AuditEntry): AuditRow {
  const { time, principal, method, resource, ...rest } = entry;
  return { id: 0, time, principal, method, resource, body: JSON.stringify(rest) };
}

/** An entry as it was appended. */
export function toEntry({ id, time, principal, method, resource, body }: AuditRow): StoredEntry {
  return { ...(JSON.parse(body) as Omit<AuditEntry, "time">), id, time, principal, method, resource };
}
