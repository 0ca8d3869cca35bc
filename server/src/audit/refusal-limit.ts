import { type Clock, steadyClock, subscriberNetwork } from "#base";
import type { AuditEntry, AuditLog } from "./contract.ts";

/** Outcomes that are recorded whatever the category of the call is, so that whoever is refused decides how many entries there are. */
export const REFUSALS: ReadonlySet<string> = new Set(["UNAUTHENTICATED", "PERMISSION_DENIED"]);

/** The time for which refusals are counted, milliseconds. */
const WINDOW_MS = 60_000;

/** Refusals within that time that have entries of their own: of one caller, or of one address; of all callers together that are not known. */
const LISTED_OF_ONE = 20;
const LISTED_OF_UNKNOWN = 60;

/** Addresses of callers that are not known that are told apart; the others count as one. */
const MOST_ADDRESSES = 20;

/** The method of an entry that says how many refusals have none. */
const MORE_REFUSALS = "frontdesk.audit.MoreRefusals";

interface Counted {
  listed: number;
  more: number;
  /** The first that has no entry of its own. */
  first: AuditEntry | undefined;
}

/**
 * Keeps those who are refused from filling the disk (IAM-22): anybody can be, as often as they like. Beyond some entries a minute refusals are counted, and one entry a minute
 * for each caller or address says how many there were.
 */
export function createRefusalLimit(
  write: (entry: AuditEntry) => Promise<void>,
  wall: Clock,
): Pick<AuditLog, "append"> & { flush(): Promise<void> } {
  const clock = steadyClock(wall);
  let counted = new Map<string, Counted>();
  const addresses = new Set<string>();
  let unknown = 0;
  let until = 0;
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const over = counted;
    counted = new Map();
    addresses.clear();
    unknown = 0;
    until = clock.now() + WINDOW_MS;
    await Promise.all([...over].map(([key, { more, first }]) => first && write(summaryOf(key, first, more))));
  }

  /** A caller, or the network of one who is not known. */
  function keyOf({ principal, address }: AuditEntry): string {
    if (principal !== "") return principal;
    const network = subscriberNetwork(address);
    if (addresses.size < MOST_ADDRESSES) addresses.add(network);
    return addresses.has(network) ? network : "";
  }

  function count(entry: AuditEntry): Counted {
    const key = keyOf(entry);
    const found = counted.get(key) ?? { listed: 0, more: 0, first: undefined };
    counted.set(key, found);
    return found;
  }

  return {
    flush,
    async append(entry) {
      if (!REFUSALS.has(entry.outcome)) return write(entry);
      if (clock.now() >= until) await flush();
      const found = count(entry);
      const isUnknown = entry.principal === "";
      if (found.listed < LISTED_OF_ONE && !(isUnknown && unknown >= LISTED_OF_UNKNOWN)) {
        found.listed += 1;
        if (isUnknown) unknown += 1;
        return write(entry);
      }
      found.more += 1;
      found.first ??= entry;
      timer ??= setTimeout(() => void flush(), WINDOW_MS).unref();
    },
  };
}

function summaryOf(key: string, { principal, kind, category, outcome, time }: AuditEntry, more: number): AuditEntry {
  const one =
    key === "" ? { principal: "", kind: "", address: "" } : { principal, kind, address: principal ? "" : key };
  const reason = `${more} more refusals within a minute`;
  return {
    time,
    category,
    method: MORE_REFUSALS,
    resource: "",
    ...one,
    credential: "",
    protocol: "",
    requestId: "",
    outcome,
    reason,
  };
}
