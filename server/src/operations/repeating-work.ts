import { hash } from "node:crypto";
import type { Message } from "@bufbuild/protobuf";
import { toStatusError } from "#status";
import { type OperationRow, type OperationStore, pauseAfter } from "#storage";
import { type Attempts, mayPass } from "./attempts.ts";
import type { RepeatingWork } from "./contract.ts";
import { packError, packMetadata } from "./operation-row.ts";

/** The location of operations about the whole server: each location lists them, for who may list operations of all of them. */
export const SERVER_WIDE = "projects/-/locations/-";

type Page = Awaited<ReturnType<OperationStore["newest"]>>;

const EMPTY = new Uint8Array();

/** The name of the one operation that attempts at repeating work are kept in. */
export function repeatingName(parent: string, { subject, kind }: RepeatingWork): string {
  return `${parent}/operations/${hash("sha256", `${kind} ${subject}`).slice(0, 32)}`;
}

/** The operation of repeating work whose first attempt failed: it waits for the second one, or is a dead letter at once. */
export function failedRow(
  { name, parent }: Pick<OperationRow, "name" | "parent">,
  { subject, kind, metadata, error }: RepeatingWork & { readonly metadata: Message; readonly error: unknown },
  now: number,
  policy: Attempts,
): OperationRow {
  const lastError = packError(toStatusError(error));
  const row = { name, parent, subject, kind, createTime: now, response: EMPTY, attempts: 1, lastError };
  if (policy.most > 1 && mayPass(error)) {
    const waits = { done: false, isDead: false, error: EMPTY, dueTime: now + pauseAfter(1, policy) };
    return { ...row, ...waits, metadata: packMetadata(metadata, { createTime: now }) };
  }
  const stamps = { createTime: now, endTime: now };
  return { ...row, done: true, isDead: true, error: lastError, metadata: packMetadata(metadata, stamps) };
}

/** The newest rows of two pages, as one page. */
export function newestOf(pages: readonly Page[], limit: number): Page {
  const rows = pages.flatMap((page) => page.rows).toSorted(newestFirst);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const isAll = rows.length === shown.length && pages.every((page) => page.last === undefined);
  return isAll || !last ? { rows: shown } : { rows: shown, last: [last.createTime, last.name] };
}

function newestFirst(one: OperationRow, other: OperationRow): number {
  if (one.createTime !== other.createTime) return other.createTime - one.createTime;
  return one.name < other.name ? 1 : -1;
}
