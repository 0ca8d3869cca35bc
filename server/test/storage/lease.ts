import assert from "node:assert/strict";
import type { SessionLease, Storage } from "#storage";

const FOREVER = new AbortController().signal;

/** The right of a server to run a turn, waited for as long as it takes. */
export async function lease(storage: Storage | undefined, name: string): Promise<SessionLease> {
  assert.ok(storage?.conversations.leases);
  return storage.conversations.leases.acquire(name, FOREVER);
}
