import { LRUCache } from "lru-cache";
import { type Clock, steadyClock } from "#base";
import { quotaExceeded } from "#status";
import type {
  KeptBalances,
  QuotaConfig,
  QuotaMeasure,
  QuotaRule,
  QuotaSubject,
  Quotas,
  QuotaUse,
  SharedUses,
} from "./contract.ts";
import { keyOf } from "./scopes.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Buckets of one rule. The least used go first, and begin full again. */
const MAX_BUCKETS = 100_000;

/** Balances of one rule that are kept: those with the most missing. */
const MAX_KEPT = 2_000;

/** When to try again after a place among the open streams was refused, milliseconds: nobody knows when one ends. */
const STREAM_RETRY_MS = 1_000;

/**
 * Counts uses against the rules of a server, in this process. The operator is not counted. `isShared`: other servers count as well, and `uses` is what
 * they are told; open streams are counted by each.
 */
export function createQuotas(
  { rules }: Pick<QuotaConfig, "rules">,
  clock: Clock,
  isShared = false,
): Quotas & { readonly uses: SharedUses; readonly balances: KeptBalances } {
  const steady = steadyClock(clock);
  const counters = rules
    .filter(({ measure }) => measure !== "streams")
    .map((rule) => new RuleBuckets(rule, steady, isShared));
  const places = rules.filter(({ measure }) => measure === "streams").map((rule) => new Places(rule));
  const of = (subject: QuotaSubject, measures: readonly QuotaMeasure[]) =>
    subject.caller.kind === "operator" ? [] : counters.filter(({ rule }) => measures.includes(rule.measure));
  return {
    use(subject, measures) {
      const counted = of(subject, measures);
      for (const counter of counted) counter.require(subject, 1);
      for (const counter of counted) counter.take(subject, 1);
    },
    checkPaid(subject, measures) {
      for (const counter of of(subject, measures)) counter.require(subject, 0);
    },
    charge(subject, measure, amount) {
      for (const counter of of(subject, [measure])) counter.take(subject, amount);
    },
    openStream(subject) {
      if (subject.caller.kind === "operator") return () => undefined;
      for (const place of places) place.require(subject);
      const leave = places.map((place) => place.take(subject));
      return () => {
        for (const giveBack of leave.splice(0)) giveBack();
      };
    },
    list: () =>
      [...counters, ...places]
        .flatMap((counter) => counter.list())
        .toSorted((one, other) => shareOf(other) - shareOf(one)),
    balances: balancesOf(counters, clock),
    counts: (measure) => rules.some((rule) => rule.measure === measure),
    uses: {
      take() {
        const used = counters.flatMap((counter) => {
          const uses = counter.takeUses();
          return uses.size > 0 ? [[counter.id, Object.fromEntries(uses)] as const] : [];
        });
        return used.length > 0 ? Object.fromEntries(used) : undefined;
      },
      add(uses) {
        for (const counter of counters)
          for (const [key, amount] of Object.entries(uses[counter.id] ?? {})) counter.charge(key, amount);
      },
    },
  };
}

function balancesOf(counters: readonly RuleBuckets[], wall: Clock): KeptBalances {
  const times = counters.map(({ rule: { everyMs, burst, limit } }) => everyMs * Math.max(1, burst / limit));
  return {
    comesBackMs: times.length > 0 ? Math.max(...times) : undefined,
    now() {
      const missing = counters.map((counter) => [counter.id, counter.missing()] as const);
      const some = missing.filter(([, amounts]) => Object.keys(amounts).length > 0);
      return some.length > 0 ? { time: wall.now(), missing: Object.fromEntries(some) } : undefined;
    },
    restore({ time, missing }) {
      const elapsedMs = Math.max(0, wall.now() - time);
      for (const counter of counters) counter.restore(missing[counter.id] ?? {}, elapsedMs);
    },
  };
}

/** The buckets of one rule, one for each caller, app or project. */
class RuleBuckets {
  readonly rule: QuotaRule;
  readonly #clock: Clock;
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: MAX_BUCKETS });
  /** What other servers do not know yet; undefined where there are none. */
  #uses: Map<string, number> | undefined;

  constructor(rule: QuotaRule, clock: Clock, isShared: boolean) {
    this.rule = rule;
    this.#clock = clock;
    this.#uses = isShared ? new Map() : undefined;
  }

  /** The same on each server with this rule. */
  get id(): string {
    const { measure, per, everyMs } = this.rule;
    return `${measure} per ${per} every ${everyMs}`;
  }

  takeUses(): ReadonlyMap<string, number> {
    const uses = this.#uses ?? new Map();
    if (this.#uses) this.#uses = new Map();
    return uses;
  }

  list(): readonly QuotaUse[] {
    const now = this.#clock.now();
    const { rule } = this;
    // A turn may begin while anything is left, and a call takes one.
    const next = rule.measure === "tokens" || rule.measure === "money" ? 0 : 1;
    return [...this.#buckets].flatMap(([subject, bucket]) => {
      const used = bucket.used(now);
      return used > 0 ? [{ rule, subject, used, retryMs: bucket.waitFor(next, now) }] : [];
    });
  }

  missing(): Readonly<Record<string, number>> {
    const now = this.#clock.now();
    const amounts = [...this.#buckets.entries()].map(([key, bucket]) => [key, bucket.used(now)] as const);
    const used = amounts.filter(([, amount]) => amount > 0).sort(([, one], [, other]) => other - one);
    return Object.fromEntries(used.slice(0, MAX_KEPT));
  }

  restore(missing: Readonly<Record<string, number>>, elapsedMs: number): void {
    for (const [key, amount] of Object.entries(missing)) {
      const bucket = this.#bucket(key);
      bucket.take(Math.max(0, amount - bucket.back(elapsedMs)), this.#clock.now());
    }
  }

  charge(key: string, amount: number): void {
    this.#bucket(key).take(amount, this.#clock.now());
  }

  require(subject: QuotaSubject, amount: number): void {
    const key = keyOf(subject, this.rule.per);
    if (key === undefined) return;
    const retryMs = this.#bucket(key).waitFor(amount, this.#clock.now());
    if (retryMs > 0) throw exceeded(this.rule, key, retryMs);
  }

  take(subject: QuotaSubject, amount: number): void {
    const key = keyOf(subject, this.rule.per);
    if (key === undefined) return;
    this.charge(key, amount);
    this.#uses?.set(key, (this.#uses.get(key) ?? 0) + amount);
  }

  #bucket(key: string): TokenBucket {
    const { burst, limit, everyMs } = this.rule;
    const known = this.#buckets.get(key);
    if (known) return known;
    const bucket = new TokenBucket(burst, limit, everyMs, this.#clock.now());
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

/** The open streams of one rule. */
class Places {
  readonly #rule: QuotaRule;
  readonly #taken = new Map<string, number>();

  constructor(rule: QuotaRule) {
    this.#rule = rule;
  }

  list(): readonly QuotaUse[] {
    const rule = this.#rule;
    return [...this.#taken].map(([subject, used]) => ({
      rule,
      subject,
      used,
      retryMs: used < rule.limit ? 0 : STREAM_RETRY_MS,
    }));
  }

  require(subject: QuotaSubject): void {
    const key = keyOf(subject, this.#rule.per);
    if (key === undefined || (this.#taken.get(key) ?? 0) < this.#rule.limit) return;
    throw exceeded(this.#rule, key, STREAM_RETRY_MS);
  }

  take(subject: QuotaSubject): () => void {
    const key = keyOf(subject, this.#rule.per);
    if (key === undefined) return () => undefined;
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#taken.get(key) ?? 1) - 1;
      if (left > 0) this.#taken.set(key, left);
      else this.#taken.delete(key);
    };
  }
}

/** Which part of all that may be used at once is used up. */
function shareOf({ rule, used }: QuotaUse): number {
  return used / (rule.measure === "streams" ? rule.limit : rule.burst);
}

function exceeded({ measure, per, limit, everyMs }: QuotaRule, key: string, retryMs: number): Error {
  const unit = measure === "money" ? "US dollars" : measure;
  const most = measure === "streams" ? `${limit} open streams` : `${limit} ${unit} every ${everyMs / 1_000} s`;
  return quotaExceeded(`The quota of ${most} for each ${per} is used up by ${key}.`, {
    quota: `${measure}-per-${per}`,
    subject: key,
    retryMs,
  });
}
