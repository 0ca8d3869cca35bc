import { appendFile } from "node:fs/promises";
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

  async function write(): Promise<void> {
    const entries = waiting;
    waiting = [];
    if (entries.length === 0) return;
    const writes = [store.append(entries.map(toRow)), file && appendFile(file, linesOf(entries), { mode: 0o600 })];
    for (const outcome of await Promise.allSettled(writes)) {
      if (outcome.status === "rejected")
        logger.error({ err: outcome.reason, entries }, "entries of the audit log could not be written");
    }
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
