import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { type LanguageModel, LLM_CAPABILITIES } from "#models";
import { Code, ConnectError } from "#status";
import { freePort, placeSample, startTestServer } from "#testing";
import { PROGRAM } from "../program.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const APP = "projects/local/locations/us/apps/order-desk";

/** The status of a path, or undefined while nobody listens. */
async function statusOf(url: string): Promise<number | undefined> {
  return fetch(url).then(
    ({ status }) => status,
    () => undefined,
  );
}

/** What a server answers during its drain delay and after it. `inTime`: whether a busy machine left the calls the time of the delay. */
async function drained(drainDelayMs: number) {
  const server = await startTestServer({ config: { drainDelayMs } });
  const until = performance.now() + drainDelayMs;
  const stopped = server[Symbol.asyncDispose]();
  const ready = await fetch(`${server.address}/readyz`).then(
    async (response) => `${response.status} ${(await response.text()).slice(0, "draining".length)}`,
    () => undefined,
  );
  const apps = await statusOf(`${server.address}/v1beta/projects/local/locations/us/apps`);
  const inTime = performance.now() < until;
  await stopped;
  return { inTime, ready, apps, later: await statusOf(`${server.address}/readyz`) };
}

describe("GET /readyz", () => {
  it("answers 200 at a first start only when the example is there", async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-ready-"));
    await placeSample(dataDir);
    const port = await freePort();
    const cache = join(ROOT, "node_modules", ".cache", "frontdesk");
    const env = { ...process.env, FRONTDESK_CACHE: cache, FRONTDESK_SANDBOX_GUESTS: "1" };
    const args = [
      "--disable-warning=ExperimentalWarning",
      PROGRAM,
      "start",
      "--port",
      String(port),
      "--data",
      dataDir,
      "--log",
      "error",
    ];
    const child = spawn(process.execPath, args, { stdio: "ignore", env });
    t.after(async () => {
      child.kill("SIGKILL");
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    });
    while ((await statusOf(`http://127.0.0.1:${port}/readyz`)) !== 200) {
      assert.equal(child.exitCode, null);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.equal(await statusOf(`http://127.0.0.1:${port}/v1beta/${APP}`), 200);
  });

  it("answers what does not end in the time of a stop with UNAVAILABLE and when to come back, on every wire", async () => {
    const called = Promise.withResolvers<void>();
    let calls = 0;
    const model: LanguageModel = {
      label: "test/endless",
      capabilities: LLM_CAPABILITIES,
      async *stream(_, { signal }) {
        calls += 1;
        if (calls === 2) called.resolve();
        await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        yield* [];
      },
    };
    const server = await startTestServer({ example: true, model, config: { drainMs: 300 } });
    const session = "projects/local/locations/us/apps/order-desk/sessions/given-up";
    const turn = fetch(`${server.address}/v1beta/${session}-1:runSession`, {
      method: "POST",
      body: JSON.stringify({ config: {}, inputs: [{ text: "hi" }] }),
    });
    const client = createClient(SessionService, createGrpcTransport({ baseUrl: server.address }));
    const call = client.runSession({
      config: { session: `${session}-2` },
      inputs: [{ inputType: { case: "text", value: "hi" } }],
    });
    const refused = call.then(() => undefined, ConnectError.from);
    await called.promise;
    const stopped = server[Symbol.asyncDispose]();
    const answer = await turn;
    assert.deepEqual([answer.status, answer.headers.get("retry-after")], [503, "1"]);
    assert.match(await answer.text(), /"SERVER_STOPPING"/);
    assert.equal((await refused)?.code, Code.Unavailable);
    await stopped;
  });

  it("answers 503 during the drain delay, while calls are taken, and nobody after it", async () => {
    let seen = await drained(500);
    for (let delayMs = 2_000; !seen.inTime; delayMs *= 4) seen = await drained(delayMs);
    assert.deepEqual(seen, { inTime: true, ready: "503 draining", apps: 200, later: undefined });
  });
});
