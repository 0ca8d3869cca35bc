import { randomBytes, randomInt } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Caller } from "#base";
import type { ShortLivedStore } from "#storage";
import { digestOf } from "../credentials/credentials.ts";
import { limitBegun } from "./limit-begun.ts";

/** Milliseconds that a person has to decide. */
const TIME_MS = 600_000;

/** Seconds between two questions of a program. */
export const POLL_INTERVAL_S = 1;

/** Logins that wait at a time, at most; the oldest give way. */
const MAX_LOGINS = 10_000;

/** Logins that one address begins in that time, at most: it could push those of all others out. */
const MAX_OF_ADDRESS = 100;

/** Letters that are not taken for each other and make no words (RFC 8628, 6.1). */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

/** A login that a program began, for the program. */
interface BegunLogin {
  /** The secret of the program. */
  readonly deviceCode: string;
  /** What the person compares, `BCDF-GHJK`. */
  readonly userCode: string;
  readonly expiresInS: number;
}

/** A login that waits for a person, for that person. */
interface WaitingLogin {
  /** Address of the program. */
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly beganAt: number;
}

/** What a program gets for its device code: the person, or why not yet, or why not (RFC 8628, 3.5). */
type PollOutcome = Caller | "authorization_pending" | "slow_down" | "access_denied" | "expired_token";

/** Logins of programs without a browser, which people allow in theirs, at any server of the data (AUTH-22). */
export interface DeviceLogins {
  /** Rejects with RESOURCE_EXHAUSTED when the address has begun too many. */
  begin(address: string): Promise<BegunLogin>;
  /** Undefined for a code that is unknown, too old, or was decided. */
  waiting(userCode: string): Promise<WaitingLogin | undefined>;
  /** `person`: who allows it; undefined = denied. False for a code that does not wait. */
  decide(userCode: string, person: Caller | undefined): Promise<boolean>;
  /** The person once: the next question with the same code is answered `expired_token`. */
  poll(deviceCode: string): Promise<PollOutcome>;
}

/** Kinds of values: a login by the digest of its device code, and that digest by the code of the person. */
const [LOGIN, USER_CODE] = ["login", "login-code"];

interface Login extends WaitingLogin {
  readonly userCode: string;
  readonly decision?: Caller | "denied";
}

/** Logins that wait are in the store, so that a person may decide at another server than the one that the program asks. */
export function createDeviceLogins(store: ShortLivedStore, now: () => number): DeviceLogins {
  /** When a program asked last, as far as this server knows. */
  const askedAt = new LRUCache<string, number>({ max: MAX_LOGINS });

  const countBegun = limitBegun(MAX_OF_ADDRESS, TIME_MS, now);

  /** A login that nobody has decided, by the person's code. */
  async function undecided(userCode: string) {
    const digest = await store.get(USER_CODE, normalized(userCode));
    const body = digest === undefined ? undefined : await store.get(LOGIN, digest);
    if (digest === undefined || body === undefined) return undefined;
    const login = readLogin(body);
    return login.decision === undefined ? { digest, body, login } : undefined;
  }

  /** A program that asks too often is told so. */
  function pendingOf(digest: string): PollOutcome {
    const isEarly = now() - (askedAt.get(digest) ?? 0) < (POLL_INTERVAL_S * 1_000) / 2;
    askedAt.set(digest, now());
    return isEarly ? "slow_down" : "authorization_pending";
  }

  return {
    async begin(address) {
      countBegun(address);
      const deviceCode = randomBytes(32).toString("base64url");
      const [userCode, digest, expireTime] = [newUserCode(), digestOf(deviceCode), now() + TIME_MS];
      const login: Login = { userCode, address, beganAt: now() };
      await store.add({ kind: LOGIN, key: digest, body: JSON.stringify(login), expireTime }, MAX_LOGINS);
      await store.add({ kind: USER_CODE, key: userCode, body: digest, expireTime }, MAX_LOGINS);
      return { deviceCode, userCode, expiresInS: TIME_MS / 1_000 };
    },
    async waiting(userCode) {
      const found = await undecided(userCode);
      return found && { address: found.login.address, beganAt: found.login.beganAt };
    },
    async decide(userCode, person) {
      const found = await undecided(userCode);
      if (!found) return false;
      const decided: Login = { ...found.login, decision: person ?? "denied" };
      return store.replace(LOGIN, found.digest, found.body, JSON.stringify(decided));
    },
    async poll(deviceCode) {
      const digest = digestOf(deviceCode);
      const body = await store.get(LOGIN, digest);
      if (body === undefined) return "expired_token";
      if (readLogin(body).decision === undefined) return pendingOf(digest);
      const taken = await store.take(LOGIN, digest);
      if (taken === undefined) return "expired_token";
      const { decision = "denied" } = readLogin(taken);
      return decision === "denied" ? "access_denied" : decision;
    },
  };
}

/** Only this file writes the values. */
const readLogin = (body: string) => JSON.parse(body) as Login;

function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** As people type it. */
function normalized(userCode: string): string {
  const letters = userCode.toUpperCase().replace(/[^A-Z]/g, "");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
