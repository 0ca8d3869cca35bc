import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";

const LOCATION = "projects/p/locations/us";
const APP = `${LOCATION}/apps/app-a`;
const CONVERSATIONS = `${APP}/conversations`;
const DAY_MS = 86_400_000;
const FOREVER = new AbortController().signal;

describe("a clock that is wrong (DB-25, DB-26)", () => {
  let dataDir: string;
  let server: TestServer;
  /** What the clock is ahead of the machine's, milliseconds. */
  let aheadMs = 0;
  const clock = { now: () => Date.now() + aheadMs };
  const rest = restOf(() => server);
  const start = async (days: number) => {
    aheadMs = days * DAY_MS;
    server = await startTestServer({ dataDir, clock });
  };
  const restart = async (days: number) => {
    await server.stop();
    await start(days);
  };
  const names = async () => ((await rest("GET", CONVERSATIONS)).conversations ?? []).length;
  const talk = (id: string) =>
    fetch(`${server.address}/v1beta/${APP}/sessions/${id}:runSession`, {
      method: "POST",
      body: JSON.stringify({ config: { session: `${APP}/sessions/${id}` }, inputs: [{ text: "hello" }] }),
    });
  const readyz = async () => {
    const response = await fetch(`${server.address}/readyz`);
    return { status: response.status, text: await response.text() };
  };
  const deadLetters = async () => (await rest("GET", `${LOCATION}/jobs?state=DEAD`)).jobs ?? [];

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "frontdesk-clock-"));
    await start(0);
    await rest("POST", `${LOCATION}/apps?appId=app-a`, { displayName: "A" });
    await rest("POST", `${APP}/agents?agentId=agent-r`, { displayName: "R", instruction: "Answer." });
    await rest("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/agent-r` });
    const first = await talk("first");
    assert.equal(first.status, 200, await first.text());
  });
  after(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("a year ahead erases nothing, and everybody is told, until somebody begins the retention again", async () => {
    await restart(400);
    const [letter] = await deadLetters();
    assert.equal(letter?.kind, "Retention", "there is a dead letter from the start on");
    assert.match(letter.error.message, /400 days after the time when this data was last in use/);
    assert.match(await (await fetch(`${server.address}/metrics`)).text(), /^frontdesk_operations_dead_letters 1$/m);
    await server.app.keep(FOREVER);
    assert.equal(await names(), 1, "nothing was erased");
    const { status, text } = await readyz();
    assert.equal(status, 200);
    assert.match(text, /^clock: .*400 days after/m);
    await rest("POST", `${letter.name}:retry`, {});
    while ((await names()) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual(await deadLetters(), []);
    assert.doesNotMatch((await readyz()).text, /clock:/);
  });

  it("that was set right after a confirmation is believed once that is confirmed, too", async () => {
    await restart(0);
    assert.equal((await readyz()).status, 503);
    const [letter] = await deadLetters();
    assert.match(letter.error.message, /400 days before the time when this data was last in use/);
    await rest("POST", `${letter.name}:retry`, {});
    assert.equal((await readyz()).status, 200);
    assert.equal((await talk("second")).status, 200);
    assert.equal(await names(), 1);
  });

  it("years behind changes nothing that the right time would erase, and the server is not ready until it is set", async () => {
    await restart(-4_000);
    const { status, text } = await readyz();
    assert.equal(status, 503);
    assert.match(text, /^clock: .* before the time when this data was last in use/);
    const refused = await talk("third");
    const { error } = (await refused.json()) as { error: { status: string; details: { metadata: object }[] } };
    assert.deepEqual([refused.status, error.status], [503, "UNAVAILABLE"]);
    assert.equal(await names(), 1, "what is stored can be read");
    const created = await fetch(`${server.address}/v1beta/${LOCATION}/apps?appId=app-b`, {
      method: "POST",
      body: JSON.stringify({ displayName: "B" }),
    });
    assert.equal(created.status, 503);
    await server.app.keep(FOREVER);
    aheadMs = 0;
    assert.equal((await readyz()).status, 200);
    assert.equal((await talk("third")).status, 200);
    await server.app.keep(FOREVER);
    assert.equal(await names(), 2);
    assert.deepEqual(await deadLetters(), []);
  });

  it("a few days ahead, as after a weekend, is the time", async () => {
    await restart(6);
    await server.app.keep(FOREVER);
    assert.deepEqual([await deadLetters(), (await readyz()).status], [[], 200]);
  });
});
