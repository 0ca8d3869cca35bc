import { setTimeout as pause } from "node:timers/promises";
import { unavailable } from "#status";
import type { SessionLease, SessionLeases } from "../contract.ts";
import { toHead } from "../conversation-head.ts";
import type { Statement } from "../engine.ts";
import type { StorageError } from "../errors.ts";
import type { ReplicaAddress } from "../shared-contract.ts";
import { Batches } from "./batches.ts";
import type { TurnStarts, WantedLease } from "./begin-turns.ts";
import type { Connections } from "./connections.ts";
import type { Outages } from "./outages.ts";
import type { OverloadDetector } from "./overload-detector.ts";

interface LeaseOptions {
  /** This server. */
  readonly owner: string;
  readonly starts: TurnStarts;
  readonly outages: Outages;
  /** Why this server may hold nothing. */
  readonly fault: () => StorageError | undefined;
  readonly detector: OverloadDetector;
}

/** Leases of sessions and of work that one server does. */
export interface Leases extends SessionLeases {
  /** The step that makes every server read the head of a conversation again. */
  forget(name: string): Statement;
}

/** Pauses of a server that waits for a lease, milliseconds: doubled each time. */
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 100;

/**
 * Leases last as long as a turn (DB-6). The holder is known by a token that is never used again, and a turn's commit shows it: a server that slept, while
 * another took the lease over, stores nothing. A lease counts while its owner's row in `replicas` is alive, so no lease is renewed by itself.
 */
export function createLeases(
  connections: Connections,
  { owner, starts, outages, fault, detector }: LeaseOptions,
): Leases {
  let count = 0;
  const releases = new Batches<WantedLease, undefined>({
    keyOf: ({ token }) => token,
    parallel: 1,
    size: 500,
    run: async (given) => {
      await connections.query({ sql: RELEASE, parameters: [JSON.stringify(given)] });
      return given.map(() => undefined);
    },
  });

  const holders = new Batches<string, ReplicaAddress | undefined>({
    parallel: 1,
    size: 500,
    run: async (names) => {
      const { rows } = await connections.query<HolderRow>({ sql: HOLDERS, parameters: [names, owner] }, "read");
      const found = new Map(rows.map((row) => [row.session, addressOf(row)]));
      return names.map((name) => found.get(name));
    },
  });

  async function tryAcquire(name: string): Promise<SessionLease | undefined> {
    const wrong = fault();
    // Behind a proxy another server answers the next attempt.
    if (wrong) throw unavailable(wrong.message, { reason: "STORAGE_UNAVAILABLE", metadata: { storage: wrong.reason } });
    count += 1;
    const token = `${owner}.${count}`;
    const lease = { name, token };
    const granted = await detector
      .ask(
        () => starts.lease(lease),
        (late) => late && release(lease),
      )
      .catch((error: unknown) => {
        throw outages.refusal(error);
      });
    if (!granted) return undefined;
    const { unchanged, head } = granted;
    return { token, unchanged, head: head ? toHead(head) : undefined, release: () => release(lease) };
  }

  async function acquire(name: string, signal: AbortSignal): Promise<SessionLease> {
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      signal.throwIfAborted();
      const lease = await tryAcquire(name);
      if (lease && !signal.aborted) return lease;
      lease?.release();
      if (!lease) await pause(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  const holder = (name: string) =>
    holders.add(name).catch((error: unknown) => {
      throw outages.refusal(error);
    });

  /** A lease that could not be released ends with the next turn of this server, or with the server. */
  function release(lease: WantedLease): void {
    releases.add(lease).catch((error: unknown) => outages.report(error, "a lease was not released"));
  }

  const forget = (name: string) => ({ sql: FORGET, parameters: [name] });
  return { acquire, tryAcquire, holder, forget };
}

interface HolderRow {
  readonly session: string;
  readonly id: string;
  readonly host: string;
  readonly port: number;
  readonly sealed_key: Uint8Array;
}

function addressOf({ id, host, port, sealed_key: sealedKey }: HolderRow): ReplicaAddress {
  return { id, host, port, sealedKey };
}

const HOLDERS = `
select l.session, r.id, r.host, r.port, r.sealed_key from leases l join replicas r on r.id = l.owner
where l.session = any($1::text[]) and l.held and l.owner <> $2 and r.until > clock_timestamp() and r.port is not null`;

/** A lease of nobody: who ran the last turn is no longer known, and a turn that runs is refused. */
const FORGET = `
insert into leases (session, owner, token, held, previous) values ($1, '', '', false, '')
on conflict (session) do update set owner = '', token = '', held = false, used_time = clock_timestamp()`;

const RELEASE = `
with mine as materialized (
  select l.session from leases l join json_to_recordset($1::json) as i(name text, token text) on i.name = l.session and i.token = l.token
  order by l.session for update of l
)
update leases l set held = false, used_time = clock_timestamp() from mine where l.session = mine.session`;
