import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type LanguageModel, LLM_CAPABILITIES, type ModelRequest, type StreamPart } from "#models";
import { startPostgres, startTestServer, type TestServer, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { restOf } from "../rest.ts";

const APP = "projects/p/locations/us/apps/shared";
const CONFIG = { sealing: { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } } as const;

/** A model that says which server it belongs to, and answers "wait" only when it is told to. */
function modelOf(server: string) {
  let begun = Promise.withResolvers<void>();
  let held = Promise.withResolvers<void>();
  const model: LanguageModel = {
    label: `test/${server}`,
    capabilities: LLM_CAPABILITIES,
    async *stream({ messages }: ModelRequest, { signal }): AsyncGenerator<StreamPart, void> {
      const said = messages
        .at(-1)
        ?.parts.map((part) => ("text" in part ? part.text : ""))
        .join("");
      if (said === "wait") {
        begun.resolve();
        await Promise.race([held.promise, aborted(signal)]);
      }
      yield { kind: "text-delta", text: `${server}: ` };
      yield { kind: "text-delta", text: `${said}` };
      yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
    },
  };
  return {
    model,
    /** Resolves when a turn waits. */
    begun: () => begun.promise,
    /** Lets the turn that waits go on, and the next one wait. */
    release: () => {
      held.resolve();
      begun = Promise.withResolvers();
      held = Promise.withResolvers();
    },
  };
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}

describe("a turn whose session another server is at", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  const one = modelOf("one");
  const two = modelOf("two");
  const hidden = modelOf("hidden");
  let servers: Record<"one" | "two" | "hidden", TestServer>;

  before(async () => {
    postgres = await startPostgres();
    const database = { url: postgres.url, connections: 4 };
    const start = (model: LanguageModel, config = {}) =>
      startTestServer({ model, config: { ...CONFIG, database: { ...database, ...config } } });
    servers = {
      one: await start(one.model),
      two: await start(two.model),
      // An address of documentation, which nobody reaches.
      hidden: await start(hidden.model, { turnsHost: "192.0.2.1" }),
    };
    const rest = restOf(() => servers.one);
    await rest("POST", "projects/p/locations/us/apps?appId=shared", { displayName: "Shared" });
    await rest("POST", `${APP}/agents?agentId=root-agent`, {
      displayName: "Root",
      llmAgent: {},
      instruction: "Answer.",
    });
    await rest("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
  });
  after(async () => {
    for (const server of Object.values(servers ?? {})) await server[Symbol.asyncDispose]();
    await postgres?.stop();
  });

  const turn = (id: string, ...inputs: readonly object[]) => {
    const session = `${APP}/sessions/${id}`;
    return [`${session}:runSession`, { config: { session }, inputs }] as const;
  };
  async function say(server: keyof typeof servers, id: string, text: string): Promise<string> {
    const answer = await restOf(() => servers[server])("POST", ...turn(id, { text }));
    return answer.outputs[0].text;
  }
  /** Turns for which the second server has asked another one, whatever that said. */
  async function handedOn(): Promise<number> {
    const page = await (await fetch(`${servers.two.address}/metrics`)).text();
    const samples = page.matchAll(/^frontdesk_turns_forwarded_total\{.*outcome="(?:sent|refused)".*\} (\d+)$/gm);
    return [...samples].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** Begins a turn that waits on a server, then `work`, and lets the first turn go on once another server has sent it one. */
  async function behind<T>(
    at: typeof one,
    holder: keyof typeof servers,
    id: string,
    work: () => Promise<T>,
  ): Promise<T> {
    const first = say(holder, id, "wait");
    await at.begun();
    const before = await handedOn();
    const result = work();
    result.catch(() => undefined);
    while ((await handedOn()) === before) await delay(10);
    at.release();
    assert.equal(await first, `${holder}: wait`);
    return result;
  }

  it("is run by that server, behind the turn that it waits for (DB-53)", async () => {
    assert.equal(await behind(one, "one", "forwarded", () => say("two", "forwarded", "second")), "one: second");
    assert.equal(await say("two", "forwarded", "third"), "two: third");
    const { turns } = await restOf(() => servers.two)("GET", `${APP}/conversations/forwarded`);
    const said = turns.map(
      ({ messages }: { messages: { chunks: { text: string }[] }[] }) => messages[0]?.chunks[0]?.text,
    );
    assert.deepEqual(said, ["wait", "second", "third"]);
  });

  it("is streamed as it is written", async () => {
    const session = `${APP}/sessions/streamed`;
    const body = { config: { session, enableTextStreaming: true }, inputs: [{ text: "second" }] };
    const answers = await behind(one, "one", "streamed", () =>
      restOf(() => servers.two)("POST", `${session}:streamRunSession`, body),
    );
    const texts = answers.map(({ outputs }: { outputs: { text?: string }[] }) => outputs[0]?.text);
    assert.deepEqual(texts, ["one: ", "second", undefined]);
  });

  it("is refused as that server refuses it, field by field", async () => {
    const answer = { toolResponses: { toolResponses: [{ id: "unknown", response: {} }] } };
    const refused = behind(one, "one", "refused", async () => {
      const [path, body] = turn("refused", answer);
      const response = await fetch(`${servers.two.address}/v1beta/${path}`, {
        method: "POST",
        body: JSON.stringify(body),
      });
      return (await response.json()) as {
        error: { code: number; details: { fieldViolations?: { field: string }[] }[] };
      };
    });
    const { error } = await refused;
    assert.equal(error.code, 400);
    const fields = error.details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field));
    assert.deepEqual(fields, ["inputs[0].tool_responses.tool_responses[0].id"]);
  });

  it("is one with the turn that it repeats, which still runs (TURN-81)", async () => {
    const send = async (server: keyof typeof servers) => {
      const [path, body] = turn("repeated", { text: "wait" });
      const headers = { "idempotency-key": "order-1" };
      const request = { method: "POST", headers, body: JSON.stringify(body) };
      const response = await fetch(`${servers[server].address}/v1beta/${path}`, request);
      return ((await response.json()) as { outputs: { text: string }[] }).outputs[0]?.text;
    };
    const first = send("one");
    await one.begun();
    const before = await handedOn();
    const again = send("two");
    while ((await handedOn()) === before) await delay(10);
    one.release();
    assert.deepEqual(await Promise.all([first, again]), ["one: wait", "one: wait"]);
    const { turnCount } = await restOf(() => servers.two)("GET", `${APP}/conversations/repeated`);
    assert.equal(turnCount, 1);
  });

  it("does not run when its client leaves before it has begun (TURN-48)", async () => {
    const gone = new AbortController();
    const [path, body] = turn("abandoned", { text: "second" });
    const request = { method: "POST", body: JSON.stringify(body), signal: gone.signal };
    const first = say("one", "abandoned", "wait");
    await one.begun();
    const before = await handedOn();
    const left = fetch(`${servers.two.address}/v1beta/${path}`, request).catch(({ name }: Error) => name);
    while ((await handedOn()) === before) await delay(10);
    gone.abort();
    assert.equal(await left, "AbortError");
    // Sent behind the end of the turn that was given up, so that the other server knows of it.
    const third = say("two", "abandoned", "third");
    while ((await handedOn()) < before + 2) await delay(10);
    one.release();
    await first;
    await third;
    const { turnCount } = await restOf(() => servers.two)("GET", `${APP}/conversations/abandoned`);
    assert.equal(turnCount, 2);
  });

  it("waits for the session where that server cannot be reached", async () => {
    assert.equal(await behind(hidden, "hidden", "waited", () => say("two", "waited", "second")), "two: second");
  });
});
