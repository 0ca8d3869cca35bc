import type { LookupFunction } from "node:net";
import { closedReason, type Opening } from "./address-policy.ts";
import { EgressError } from "./egress-error.ts";

/** Resolves a host name to addresses; injected in tests. */
export type Resolve = (host: string) => Promise<Addresses>;

type Addresses = readonly { readonly address: string; readonly family: number }[];

/** Connects to the address that was checked, so that a second DNS response cannot replace it (DNS rebinding). */
export function checkedLookup(resolve: Resolve, opening: Opening): LookupFunction {
  return (host, options, callback) => {
    resolve(host)
      .then((all) => ({ all, addresses: all.filter(({ address }) => !closedReason(opening, address)) }))
      .then(
        ({ all, addresses }) => {
          const [first] = addresses;
          if (!first) return callback(blockedHost(host, opening, all[0]?.address), "");
          if (options.all)
            return callback(
              null,
              addresses.map(({ address, family }) => ({ address, family })),
            );
          return callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, ""),
      );
  };
}

/** Throws `EgressError` for a literal address that is blocked. */
export function rejectBlockedAddress(host: string, address: string, opening: Opening): void {
  if (closedReason(opening, address)) throw blockedHost(host, opening, address);
}

function blockedHost(host: string, opening: Opening, address: string | undefined): EgressError {
  const why = (address && closedReason(opening, address)) ?? "it has no address";
  const place = opening === "others" ? `${host}:{port}` : host;
  // Added, not set: the variable is a list, and takes the place of the one in the file.
  const fix = `The operator can open it: add '${place}' to FRONTDESK_EGRESS_ALLOW, or to egress.allow of the configuration file`;
  return new EgressError("refused", `Requests to '${host}' are refused: ${why}. ${fix}`);
}
