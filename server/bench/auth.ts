// What finding out who calls costs, on the authenticator itself: microseconds of the processor for one request, in one process without a network.
import { createPrivateKey, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { readConfig } from "#app";
import { createEgress, createLogger, systemClock } from "#base";
import { createAuthentication, createChatTokens } from "#identity";
import { openStorage } from "#storage";
import { say } from "./turns.ts";

/** Tokens of each measurement. */
const TOKENS = 2_500;

/** Tokens of each measurement that are not counted: engines compile what is called often. */
const WARM_UP = 500;

/** What a request may cost: with a token that is seen for the first time, and with one that was verified before. */
const BUDGET_US = { fresh: 150, cached: 20 };

export async function benchAuth(dataDir: string): Promise<void> {
  const logger = createLogger("silent", "json");
  const storage = await openStorage({ dataDir, clock: systemClock, logger });
  const egress = createEgress({ allowedPrivateHosts: [] });
  const { auth } = readConfig(["--auth", "required", "--data", dataDir], {});
  const key = new Uint8Array(32).fill(1);
  const chatTokens = createChatTokens({ key, clock: systemClock });
  const authentication = createAuthentication({
    settings: auth,
    staticTokens: [],
    store: storage.credentials,
    shortLived: storage.shortLived,
    chatTokens,
    key,
    egress,
    clock: systemClock,
    logger,
  });
  try {
    const { secret } = await authentication.accountKeys.issue({
      account: "bench",
      project: "local",
      displayName: "",
      createdBy: "",
      tokenUri: "http://localhost/token",
    });
    const file = JSON.parse(secret) as { client_email: string; private_key_id: string; private_key: string };
    const signed = await signedTokens(file.client_email, file.private_key_id, createPrivateKey(file.private_key));
    const [first = ""] = signed;
    const caller = await authentication.authenticator.authenticate(requestWith(first));
    const issued = signed.map((_, at) => authentication.accessTokens.issue({ ...caller, claims: { at } }).token);
    for (const [name, tokens] of Object.entries({ "self-signed JWT": signed.slice(1), "access token": issued })) {
      const [warm, measured] = [tokens.slice(0, WARM_UP), tokens.slice(WARM_UP)];
      await measure(authentication, warm);
      const [fresh, cached] = [await measure(authentication, measured), await measure(authentication, measured)];
      say(`${name.padEnd(16)} fresh ${row(fresh, BUDGET_US.fresh)}   cached ${row(cached, BUDGET_US.cached)}`);
    }
  } finally {
    await authentication.credentials.close();
    await egress.close();
    await storage.close();
  }
}

export async function signedTokens(
  email: string,
  kid: string,
  key: KeyObject,
  count = TOKENS,
): Promise<readonly string[]> {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: email, sub: email, iat: now, exp: now + 3_600, aud: "https://ces.googleapis.com/" };
  const header = { alg: "RS256", typ: "JWT", kid };
  const at = Array.from({ length: count }, (_, number) => number);
  return Promise.all(
    at.map((jti) => new SignJWT({ ...claims, jti: String(jti) }).setProtectedHeader(header).sign(key)),
  );
}

const requestWith = (token: string) => ({
  headers: new Map([["authorization", `Bearer ${token}`]]),
  peer: { address: "127.0.0.1" },
  isSafe: true,
});

/** Microseconds of the processor for one request, those of other threads included; a busy machine changes them little. */
async function measure({ authenticator }: ReturnType<typeof createAuthentication>, tokens: readonly string[]) {
  const before = process.cpuUsage();
  for (const token of tokens) await authenticator.authenticate(requestWith(token));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / tokens.length;
}

function row(microseconds: number, budget: number): string {
  return `${microseconds.toFixed(1).padStart(6)} µs (budget ${budget})`;
}
