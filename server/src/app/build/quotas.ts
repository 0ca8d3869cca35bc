import { type Balances, createQuotas, type Quotas, type Uses } from "#quota";
import type { Platform } from "./platform.ts";

/** How much callers, apps and projects may use. */
interface QuotaParts {
  readonly quotas: Quotas;
  /** Tells other servers what this one granted since the last call (QUOTA-2); undefined where there are none. */
  readonly share: (() => Promise<void>) | undefined;
  /** Stores what is used up, so that a restart does not give it back; undefined where there are none. Never rejects. */
  readonly keep: (() => Promise<void>) | undefined;
}

const TOPIC = "quota";

/** Where the balances are kept. Servers of one database count the same uses, so that the last one to write has those of all. */
const KEPT = { kind: "quota-balances", key: "all" };

/** Creates the quotas, with what was used up when the last server stopped. Servers of one database count what each other granted. */
export async function createQuotaParts(platform: Platform): Promise<QuotaParts> {
  const { config, storage, clock } = platform;
  const { replica } = storage;
  const { uses, balances, ...quotas } = createQuotas(config.quotas, clock, replica !== undefined);
  const keep = await keptBalances(balances, platform);
  if (!replica) return { quotas, share: undefined, keep };
  // Only `share` tells about the topic.
  replica.subscribe(TOPIC, (body) => uses.add(JSON.parse(body) as Uses));
  const share = async () => {
    const used = uses.take();
    if (used) await replica.tell(TOPIC, JSON.stringify(used));
  };
  return { quotas, share, keep };
}

async function keptBalances(
  balances: ReturnType<typeof createQuotas>["balances"],
  { storage: { shortLived }, clock, logger }: Platform,
): Promise<QuotaParts["keep"]> {
  const { comesBackMs } = balances;
  if (comesBackMs === undefined) return undefined;
  const kept = await shortLived.get(KEPT.kind, KEPT.key).catch((error: unknown) => {
    logger.warn({ err: error }, "what was used of quotas before this start is not known");
    return undefined;
  });
  if (kept !== undefined) balances.restore(JSON.parse(kept) as Balances);
  return async () => {
    const now = balances.now();
    if (!now) return;
    const value = { ...KEPT, body: JSON.stringify(now), expireTime: clock.now() + comesBackMs };
    await shortLived.put(value).catch((error: unknown) => logger.debug({ err: error }, "quotas could not be kept"));
  };
}
