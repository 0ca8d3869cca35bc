import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { type Clock, type Egress, type Logger, steadyClock } from "#base";
import { unavailable } from "#status";
import type { Issuer } from "./contract.ts";
import { fetchJson } from "./fetch-json.ts";

/** How long keys are used before they are read again, milliseconds. */
const FRESH_MS = 600_000;

/** How long keys are used while the issuer cannot be reached, milliseconds. */
const STALE_MS = 3_600_000;

/** How many reads unknown key ids may cause at once, and after how many milliseconds they may cause one more: forged tokens have any number of them (AUTH-27). */
const SPARE_READS = 3;
const SPARE_READ_MS = 30_000;

/** Pause after a read that failed, milliseconds. */
const PAUSE_AFTER_FAILURE_MS = 10_000;

interface KeySetDeps {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Keys {
  readonly find: JWTVerifyGetKey;
  readonly readAt: number;
}

/**
 * The keys of an issuer, read when a token needs them (AUTH-13). One read at a time, however many tokens wait for it; tokens of other issuers
 * do not wait. A key id that is not among them has them read again, as often as `SPARE_READS` allows. While the issuer cannot be reached, known keys are used for an hour; without keys its tokens are answered with UNAVAILABLE.
 */
export function createKeySet(issuer: Issuer, { egress, clock: wall, logger }: KeySetDeps): JWTVerifyGetKey {
  const clock = steadyClock(wall);
  let keys: Keys | undefined;
  let reading: Promise<void> | undefined;
  /** After a read that failed. */
  let nextReadAt = 0;
  const spare = { reads: SPARE_READS, countedAt: clock.now() };

  function read(): Promise<void> {
    reading ??= readKeys()
      .then(
        (found) => {
          keys = found;
        },
        (error: unknown) => {
          nextReadAt = clock.now() + PAUSE_AFTER_FAILURE_MS;
          logger.warn({ err: error, issuer: issuer.name }, "the keys of an issuer cannot be read");
        },
      )
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  async function readKeys(): Promise<Keys> {
    const jwks = await fetchJson(egress, issuer.jwksUri ?? (await discoverKeys(issuer, egress)));
    // The library checks the form, and each key when a token needs it.
    return { find: createLocalJWKSet(jwks as unknown as JSONWebKeySet), readAt: clock.now() };
  }

  /** Keys that may be used now; reads them first when there are none. */
  async function current(): Promise<Keys> {
    const age = keys ? clock.now() - keys.readAt : Number.POSITIVE_INFINITY;
    if (age >= FRESH_MS && (reading || clock.now() >= nextReadAt)) {
      const next = read();
      if (age >= STALE_MS) await next;
    }
    if (keys && clock.now() - keys.readAt < STALE_MS) return keys;
    throw unavailable(`The keys of the issuer '${issuer.name}' cannot be read at the moment. Try again.`, {
      reason: "ISSUER_UNAVAILABLE",
      metadata: { issuer: issuer.name },
    });
  }

  /** Whether an unknown key id may cause a read now. */
  function takeSpareRead(): boolean {
    const now = clock.now();
    if (now < nextReadAt) return false;
    spare.reads = Math.min(SPARE_READS, spare.reads + (now - spare.countedAt) / SPARE_READ_MS);
    spare.countedAt = now;
    if (spare.reads < 1) return false;
    spare.reads -= 1;
    return true;
  }

  return async (header, token) => {
    const found = await current();
    try {
      return await found.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // A read that is under way is as good as one of its own.
      if (!reading && !takeSpareRead()) throw error;
      await read();
      return (await current()).find(header, token);
    }
  };
}

const OPENID = "/.well-known/openid-configuration";

/** `jwks_uri` of the discovery document, which must be that of the issuer. */
async function discoverKeys({ issuer, name }: Issuer, egress: Egress): Promise<string> {
  const document = await fetchJson(egress, `${issuer.replace(/\/$/, "")}${OPENID}`);
  if (document.issuer !== issuer)
    throw new Error(`the discovery document of ${name} is that of ${String(document.issuer)}, not of ${issuer}`);
  if (typeof document.jwks_uri !== "string") throw new Error(`the discovery document of ${name} names no jwks_uri`);
  return document.jwks_uri;
}
