import { createQuotas, type Quotas, type Uses } from "#quota";
import type { Platform } from "./platform.ts";

/** How much callers, apps and projects may use. */
interface QuotaParts {
  readonly quotas: Quotas;
  /** Tells other servers what this one granted since the last call (QUOTA-2); undefined where there are none. */
  readonly share: (() => Promise<void>) | undefined;
}

const TOPIC = "quota";

/** Creates the quotas. Servers of one database count what each other granted. */
export function createQuotaParts({ config, storage: { replica }, clock }: Platform): QuotaParts {
  const { uses, ...quotas } = createQuotas(config.quotas, clock, replica !== undefined);
  if (!replica) return { quotas, share: undefined };
  // Only `share` tells about the topic.
  replica.subscribe(TOPIC, (body) => uses.add(JSON.parse(body) as Uses));
  const share = async () => {
    const used = uses.take();
    if (used) await replica.tell(TOPIC, JSON.stringify(used));
  };
  return { quotas, share };
}
