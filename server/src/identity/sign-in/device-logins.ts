import { randomBytes, randomInt } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Caller } from "#base";
import { digestOf } from "../credentials/credentials.ts";

/** Milliseconds that a person has to decide. */
const TIME_MS = 600_000;

/** Seconds between two questions of a program. */
export const POLL_INTERVAL_S = 1;

/** Logins that wait at a time, at most; the oldest give way. */
const MAX_LOGINS = 10_000;

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

/** Logins of programs without a browser, which people allow in theirs (AUTH-22). They are kept in memory, and end with the server. */
export interface DeviceLogins {
  begin(address: string): BegunLogin;
  /** Undefined for a code that is unknown, too old, or was decided. */
  waiting(userCode: string): WaitingLogin | undefined;
  /** `person`: who allows it; undefined = denied. False for a code that does not wait. */
  decide(userCode: string, person: Caller | undefined): boolean;
  /** The person once: the next question with the same code is answered `expired_token`. */
  poll(deviceCode: string): PollOutcome;
}

interface Login extends WaitingLogin {
  readonly userCode: string;
  askedAt: number;
  decision: Caller | "denied" | undefined;
}

export function createDeviceLogins(now: () => number): DeviceLogins {
  const logins = new LRUCache<string, Login>({ max: MAX_LOGINS });
  const digests = new LRUCache<string, string>({ max: MAX_LOGINS });
  const isCurrent = ({ beganAt }: Login) => now() < beganAt + TIME_MS;

  function waitingLogin(userCode: string): Login | undefined {
    const login = logins.get(digests.get(normalized(userCode)) ?? "");
    return login && isCurrent(login) && login.decision === undefined ? login : undefined;
  }

  return {
    begin(address) {
      const deviceCode = randomBytes(32).toString("base64url");
      const userCode = newUserCode();
      const digest = digestOf(deviceCode);
      logins.set(digest, { userCode, address, beganAt: now(), askedAt: 0, decision: undefined });
      digests.set(userCode, digest);
      return { deviceCode, userCode, expiresInS: TIME_MS / 1_000 };
    },
    waiting(userCode) {
      const login = waitingLogin(userCode);
      return login && { address: login.address, beganAt: login.beganAt };
    },
    decide(userCode, person) {
      const login = waitingLogin(userCode);
      if (!login) return false;
      login.decision = person ?? "denied";
      return true;
    },
    poll(deviceCode) {
      const digest = digestOf(deviceCode);
      const login = logins.get(digest);
      if (!login || !isCurrent(login)) return "expired_token";
      if (login.decision === undefined) return pendingOf(login, now());
      logins.delete(digest);
      digests.delete(login.userCode);
      return login.decision === "denied" ? "access_denied" : login.decision;
    },
  };
}

/** A program that asks too often is told so. */
function pendingOf(login: Login, now: number): PollOutcome {
  const isEarly = now - login.askedAt < (POLL_INTERVAL_S * 1_000) / 2;
  login.askedAt = now;
  return isEarly ? "slow_down" : "authorization_pending";
}

function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** As people type it. */
function normalized(userCode: string): string {
  const letters = userCode.toUpperCase().replace(/[^A-Z]/g, "");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
