import { createHash } from "node:crypto";
import type { LookupFunction } from "node:net";
import { Agent } from "undici";
import { definedFields } from "../defined-fields.ts";
import { type AddressPolicy, type Opening, openingOf } from "./address-policy.ts";
import { checkedLookup, type Resolve } from "./lookup.ts";

/** TLS settings of a request. */
export interface EgressTls {
  /** Certificates (PEM) of the trusted authorities. Default: the usual ones. */
  readonly ca?: readonly string[];
  /** Client certificate and key in PEM, and the passphrase of the key. */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** Host and port of a connection that the operator configured for a host name. */
export interface ConnectTarget {
  readonly host: string;
  readonly port: number;
}

/** The connection pools: one per kind of opening, and one per TLS setting. */
export interface Dispatchers {
  /** The pool for a host. Hosts that the operator allows have no address check, all others have. */
  pick(host: string, port: number, route: { readonly tls?: EgressTls; readonly connectTo?: ConnectTarget }): Agent;
  /** Ends the requests in flight with an error: what may wait for them has had its time. */
  close(): Promise<void>;
}

/** Most pools with TLS settings of their own; the least recently used is closed first. */
const MAX_POOLS = 32;

/** Creates the pools; each connects on first use. */
export function createDispatchers(policy: AddressPolicy, resolve: Resolve): Dispatchers {
  const pools = new Map<string, Agent>();
  const usual = {
    any: createAgent(checkedLookup(resolve, "any")),
    others: createAgent(checkedLookup(resolve, "others")),
    public: createAgent(checkedLookup(resolve, "public")),
  };
  return {
    pick: (host, port, { tls, connectTo }) => {
      const opening = connectTo ? "any" : openingOf(policy, host, port);
      if (!tls && !connectTo) return usual[opening];
      const key = keyOf(opening, tls, connectTo);
      const agent = pools.get(key) ?? createAgent(checkedLookup(resolve, opening), tls, connectTo);
      pools.delete(key);
      pools.set(key, agent);
      closeOldest(pools);
      return agent;
    },
    close: async () => {
      await Promise.all([...pools.values(), ...Object.values(usual)].map((agent) => agent.destroy()));
    },
  };
}

/** `close` waits for the requests in flight. */
function closeOldest(pools: Map<string, Agent>): void {
  const [oldest] = pools;
  if (pools.size <= MAX_POOLS || !oldest) return;
  pools.delete(oldest[0]);
  void oldest[1].close();
}

/** A digest, because a key of the map must not contain a private key. */
function keyOf(opening: Opening, tls: EgressTls | undefined, connectTo: ConnectTarget | undefined): string {
  return createHash("sha256")
    .update(JSON.stringify([opening, tls ?? {}, connectTo ?? {}]))
    .digest("base64");
}

function createAgent(lookup: LookupFunction, tls: EgressTls = {}, connectTo?: ConnectTarget): Agent {
  const { ca, cert, key, passphrase } = tls;
  const connect = definedFields({
    lookup: connectTo ? lookupOf(connectTo, lookup) : lookup,
    timeout: 10_000,
    ca: ca && [...ca],
    cert,
    key,
    passphrase,
  });
  return new Agent({ connect, keepAliveTimeout: 4_000, maxHeaderSize: 32 * 1024 });
}

/** Any name leads to the target, while TLS still asks the other side for the name of the request. */
function lookupOf(connectTo: ConnectTarget, lookup: LookupFunction): LookupFunction {
  return (_host, options, callback) => lookup(connectTo.host, options, callback);
}
