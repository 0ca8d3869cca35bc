import { LRUCache } from "lru-cache";
import type { Clock } from "#base";
import { quotaExceeded } from "#status";
import type { QuotaConfig, QuotaMeasure, QuotaRule, QuotaSubject, Quotas } from "./contract.ts";
import { keyOf } from "./scopes.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Buckets of one rule. The least used go first, and begin full again. */
const MAX_BUCKETS = 100_000;

/** When to try again after a place among the open streams was refused, milliseconds: nobody knows when one ends. */
const STREAM_RETRY_MS = 1_000;

/** Counts uses against the rules of a server, in this process. The operator is not counted. */
export function createQuotas({ rules }: Pick<QuotaConfig, "rules">, clock: Clock): Quotas {
  const counters = rules.filter(({ measure }) => measure !== "streams").map((rule) => new RuleBuckets(rule, clock));
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
    counts: (measure) => rules.some((rule) => rule.measure === measure),
  };
}

/** The buckets of one rule, one for each caller, app or project. */
class RuleBuckets {
  readonly rule: QuotaRule;
  readonly #clock: Clock;
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: MAX_BUCKETS });

  constructor(rule: QuotaRule, clock: Clock) {
    this.rule = rule;
    this.#clock = clock;
  }

  require(subject: QuotaSubject, amount: number): void {
    const key = keyOf(subject, this.rule.per);
    if (key === undefined) return;
    const retryMs = this.#bucket(key).waitFor(amount, this.#clock.now());
    if (retryMs > 0) throw exceeded(this.rule, key, retryMs);
  }

  take(subject: QuotaSubject, amount: number): void {
    const key = keyOf(subject, this.rule.per);
    if (key !== undefined) this.#bucket(key).take(amount, this.#clock.now());
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

function exceeded({ measure, per, limit, everyMs }: QuotaRule, key: string, retryMs: number): Error {
  const unit = measure === "money" ? "US dollars" : measure;
  const most = measure === "streams" ? `${limit} open streams` : `${limit} ${unit} every ${everyMs / 1_000} s`;
  return quotaExceeded(`The quota of ${most} for each ${per} is used up by ${key}.`, {
    quota: `${measure}-per-${per}`,
    subject: key,
    retryMs,
  });
}
