import { Socket } from "node:net";
import { type Egress, EgressError } from "#base";
import { isListedHost } from "./allowed-hosts.ts";
import type { DatabaseAddress } from "./database-address.ts";
import type { DatabaseGate } from "./gate-contract.ts";

interface GateDeps {
  readonly egress: Pick<Egress, "fetch" | "open" | "connect">;
  /** Patterns of `isListedHost`. */
  readonly hosts: readonly string[];
}

/** The way to one database: its host must be listed, and its own certificates are trusted. */
export function createDatabaseGate({ egress, hosts }: GateDeps, address: () => DatabaseAddress): DatabaseGate {
  const listed = (request: Parameters<Egress["open"]>[0]) => {
    const { hostname, port, protocol } = new URL(request.url);
    const refused = refusalOf(
      hosts,
      hostname.replace(/^\[|\]$/g, ""),
      Number(port) || (protocol === "https:" ? 443 : 80),
    );
    if (refused) throw refused;
    const { ca } = address();
    return ca === "" ? request : { ...request, tls: { ca: [ca] } };
  };
  return {
    connect(host, port) {
      const refused = refusalOf(hosts, host, port);
      return refused ? new Socket().destroy(refused) : egress.connect(host, port);
    },
    http: {
      fetch: async (request) => egress.fetch(listed(request)),
      open: async (request) => egress.open(listed(request)),
    },
    tls: address,
  };
}

/** Why a host may not be connected to; undefined where it may. The address behind its name is the egress gate's to judge. */
export function refusalOf(hosts: readonly string[], host: string, port: number): EgressError | undefined {
  if (isListedHost(hosts, host, port)) return undefined;
  const place = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  return new EgressError(
    "refused",
    `Databases at '${place}' may not be connected to. The operator can allow it with FRONTDESK_CONNECTION_HOSTS=${place}, or warehouse.connectionHosts in the configuration`,
  );
}
