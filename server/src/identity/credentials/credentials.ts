import { hash, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type Clock, definedFields } from "#base";
import type { CredentialRow, CredentialStore } from "#storage";
import type { Credential, CredentialDetails, CredentialKind } from "./contract.ts";
import { createLastUses } from "./last-uses.ts";

/** A credential to be stored. */
type NewCredential = Omit<Credential, "createTime" | "lastUsedTime">;

/** Which credentials to list. */
interface CredentialPage {
  readonly parent: string;
  readonly kinds: readonly CredentialKind[];
  /** By id, after this one. */
  readonly after?: string;
  readonly limit: number;
}

/** The credentials that this server issued. */
export interface Credentials {
  /** Undefined for one that is unknown, revoked or expired. */
  find(id: string): Promise<Credential | undefined>;
  /** With the last uses, also those that are not stored yet. */
  list(page: CredentialPage): Promise<{ readonly credentials: readonly Credential[]; readonly last?: string }>;
  /** Stores a new credential; ALREADY_EXISTS when its id is taken. */
  add(credential: NewCredential): Promise<Credential>;
  /** From now on nobody is known by it, within a second also on other servers of the same store. False when there was none. */
  revoke(id: string): Promise<boolean>;
  /** Notes a use; it is stored later. */
  used(id: string): void;
  /** What was found is valid while this number stays. Read it before `find`. */
  generation(): number;
  /** Stores the last uses, and stops. */
  close(): Promise<void>;
}

interface CredentialsDeps {
  readonly store: CredentialStore;
  readonly clock: Clock;
}

/** Credentials that stay read: programs show new tokens of the same few again and again. */
const MAX_KNOWN = 10_000;

/** Credentials in a store. The last uses are collected and stored from time to time. */
export function createCredentials({ store, clock }: CredentialsDeps): Credentials {
  const uses = createLastUses(store, clock);
  const known = new LRUCache<string, { readonly credential: Credential; readonly generation: number }>({
    max: MAX_KNOWN,
  });

  async function read(id: string): Promise<Credential | undefined> {
    const generation = store.generation();
    const found = known.get(id);
    if (found?.generation === generation) return found.credential;
    const row = await store.get(id);
    if (!row) return undefined;
    const credential = toCredential(row);
    known.set(id, { credential, generation });
    return credential;
  }

  return {
    find: async (id) => {
      const credential = await read(id);
      return credential && (credential.expireTime ?? Number.POSITIVE_INFINITY) > clock.now() ? credential : undefined;
    },
    list: async (page) => {
      await uses.store();
      const { rows, last } = await store.list(page);
      return { credentials: rows.map(toCredential), ...(last && { last: last[1] }) };
    },
    add: async (credential) => {
      const row = toRow(credential, Math.floor(clock.now()));
      await store.insert(row);
      return toCredential(row);
    },
    revoke: (id) => store.remove(id),
    used: (id) => uses.note(id),
    generation: () => store.generation(),
    close: () => uses.close(),
  };
}

/** The digest under which a secret is stored. Secrets are random and long, so no slow hash is needed. */
export function digestOf(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** Whether a secret is the one of a credential, in a time that reveals nothing. */
export function hasSecret({ secretDigest }: Credential, secret: string): boolean {
  const [given, expected] = [Buffer.from(digestOf(secret)), Buffer.from(secretDigest)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function toRow(credential: NewCredential, createTime: number): CredentialRow {
  const { id, parent, kind, principal, secretDigest, expireTime, ...details } = credential;
  const body: CredentialDetails = details;
  return {
    ...{ id, parent, kind, principal, secretDigest, createTime, body: JSON.stringify(body) },
    ...definedFields({ expireTime }),
  };
}

function toCredential({ body, ...row }: CredentialRow): Credential {
  // Only `add` writes these rows.
  return { ...row, kind: row.kind as CredentialKind, ...(JSON.parse(body) as CredentialDetails) };
}
