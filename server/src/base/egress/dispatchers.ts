import { createHash } from "node:crypto";
import type { LookupFunction } from "node:net";
import { Agent } from "undici";
import { type AddressPolicy, isOpened } from "./address-policy.ts";
import { checkedLookup, plainLookup, type Resolve } from "./lookup.ts";

/** How the other side of a TLS connection is known, and how this server shows who it is. */
export interface EgressTls {
  /** Certificates (PEM) of the authorities that are trusted in place of the usual ones. Default: the usual ones. */
  readonly ca?: readonly string[];
  /** Client certificate, its key and what opens that, in PEM. */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** Where a connection goes when the operator says that a name is reached elsewhere. */
export interface ConnectTarget {
  readonly host: string;
  readonly port: number;
}

/** The connection pools of the gate: one for each way in which connections are made. */
export interface Dispatchers {
  /** The pool for an address. Hosts that the operator opened are reached without an address check, all others with it. */
  pick(host: string, port: number, route: { readonly tls?: EgressTls; readonly connectTo?: ConnectTarget }): Agent;
  close(): Promise<void>;
}

/** Pools with TLS settings of their own that are kept; the longest unused goes first. */
const MOST_KEPT = 32;

/** Creates the pools; each is opened with the first request that needs it. */
export function createDispatchers(policy: AddressPolicy, resolve: Resolve): Dispatchers {
  const checked = checkedLookup(resolve);
  const opened = plainLookup(resolve);
  const kept = new Map<string, Agent>();
  const usual = { checked: createAgent(checked), opened: createAgent(opened) };
  return {
    pick: (host, port, { tls, connectTo }) => {
      const isOpen = connectTo !== undefined || isOpened(policy, host, port);
      if (!tls && !connectTo) return isOpen ? usual.opened : usual.checked;
      const key = keyOf(isOpen, tls, connectTo);
      const agent = kept.get(key) ?? createAgent(isOpen ? opened : checked, tls, connectTo);
      kept.delete(key);
      kept.set(key, agent);
      forgetOldest(kept);
      return agent;
    },
    close: async () => {
      await Promise.all([...kept.values(), usual.checked, usual.opened].map((agent) => agent.close()));
    },
  };
}

/** Its requests in flight end as they would have; close waits for them. */
function forgetOldest(kept: Map<string, Agent>): void {
  const [oldest] = kept;
  if (kept.size <= MOST_KEPT || !oldest) return;
  kept.delete(oldest[0]);
  void oldest[1].close();
}

/** A digest, because a key of the map must not hold somebody's private key. */
function keyOf(isOpen: boolean, tls: EgressTls | undefined, connectTo: ConnectTarget | undefined): string {
  return createHash("sha256")
    .update(JSON.stringify([isOpen, tls ?? {}, connectTo ?? {}]))
    .digest("base64");
}

function createAgent(lookup: LookupFunction, tls: EgressTls = {}, connectTo?: ConnectTarget): Agent {
  const { ca, cert, key, passphrase } = tls;
  const connect = {
    lookup: connectTo ? lookupOf(connectTo, lookup) : lookup,
    timeout: 10_000,
    ...(ca && { ca: [...ca] }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(passphrase !== undefined && { passphrase }),
  };
  return new Agent({ connect, keepAliveTimeout: 4_000, maxHeaderSize: 32 * 1024 });
}

/** Any name leads to the target, while TLS still asks the other side for the name of the request. */
function lookupOf(connectTo: ConnectTarget, lookup: LookupFunction): LookupFunction {
  return (_host, options, callback) => lookup(connectTo.host, options, callback);
}
