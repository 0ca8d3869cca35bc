// Turns of a server that asks who calls, against the same server that does not: pairs of runs, one after the other.
import { createPrivateKey } from "node:crypto";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { signedTokens } from "./auth.ts";
import { createBenchApps, PLAIN_APP } from "./bench-apps.ts";
import type { LoadOrder } from "./load.ts";
import { processorMs, type Running, runLoad, startFrontdesk, startScript } from "./processes.ts";
import { say } from "./turns.ts";

const PAIRS = 5;
const LOAD = { app: PLAIN_APP, method: "runSession", sessions: 16, seconds: 4, turnsPerSession: 5 } as const;

/** What of the turns per second has to be left. */
const FLOOR = 0.97;

interface Measured {
  readonly perSecond: number;
  /** Milliseconds of the server's processor for one turn, which a busy machine changes little. */
  readonly cpuMs: number;
}

/** Measures and prints the share of turns that is left when callers must be known. */
export async function benchAuthenticatedTurns(folder: string): Promise<void> {
  await using model = await startScript("fake-model-server.ts");
  const configOf = (name: string, more: object): string => {
    const google = { type: "gemini", apiKey: "bench", baseUrl: `http://127.0.0.1:${model.port}/v1beta` };
    const path = join(folder, `${name}.yaml`);
    writeFileSync(path, JSON.stringify({ models: { providers: { google } }, ...more }));
    return path;
  };
  const [open, known] = [configOf("open", {}), configOf("known", { auth: { mode: "required" } })];
  const [openData, knownData] = [join(folder, "open"), join(folder, "known")];
  {
    await using first = await startFrontdesk(openData, open);
    await createBenchApps(first.port);
  }
  cpSync(openData, knownData, { recursive: true });
  await using openServer = await startFrontdesk(openData, open);
  await using knownServer = await startFrontdesk(knownData, known);
  const token = await tokenOfOwner(knownServer.port, knownData);
  const pairs: { readonly without: Measured; readonly withAuth: Measured }[] = [];
  for (const server of [openServer, knownServer]) await measure(server, token, 2);
  while (pairs.length < PAIRS)
    pairs.push({ without: await measure(openServer, undefined), withAuth: await measure(knownServer, token) });
  const rates = pairs.map(({ without, withAuth }) => withAuth.perSecond / without.perSecond);
  const costs = pairs.map(({ without, withAuth }) => without.cpuMs / withAuth.cpuMs);
  const { without } = pairs[0] ?? { without: { perSecond: 0 } };
  say(
    `turns            ${percent(median(rates))} of the turns per second (${without.perSecond.toFixed(0)}), ` +
      `${percent(median(costs))} by processor time (budget ${percent(FLOOR)}); pairs ${rates.map(percent).join(", ")}`,
  );
}

async function measure(server: Running, token: string | undefined, seconds: number = LOAD.seconds): Promise<Measured> {
  const before = processorMs(server);
  const order: LoadOrder = { ...LOAD, seconds, port: server.port, ...(token !== undefined && { token }) };
  const { perSecond, allTurns, failures } = await runLoad(order);
  if (failures > 0) throw new Error(`${failures} turns failed`);
  return { perSecond, cpuMs: (processorMs(server) - before) / allTurns };
}

/** A key's own token; the first request with it is verified, the others find it remembered. */
async function tokenOfOwner(port: number, dataDir: string): Promise<string> {
  const operator = JSON.parse(readFileSync(join(dataDir, "operator.json"), "utf8")) as { readonly token: string };
  const post = async (path: string, body: object): Promise<{ readonly secret: string; readonly principal: string }> => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${operator.token}` };
    const answer = await fetch(`http://127.0.0.1:${port}/v1beta/${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { secret: string; principal: string };
  };
  const made = await post("projects/bench/credentials", { kind: "SERVICE_ACCOUNT_KEY", account: "bench" });
  const bindings = [{ role: "roles/owner", members: [made.principal] }];
  await post("projects/bench:setIamPolicy", { policy: { bindings } });
  const file = JSON.parse(made.secret) as Record<"client_email" | "private_key_id" | "private_key", string>;
  const [token = ""] = await signedTokens(
    file.client_email,
    file.private_key_id,
    createPrivateKey(file.private_key),
    1,
  );
  return token;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
