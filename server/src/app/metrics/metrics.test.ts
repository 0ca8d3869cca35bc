import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { resourceExhausted } from "#status";
import { ScriptedModel, say, startTestServer, type TestServer } from "#testing";

const APP = "projects/local/locations/us/apps/order-desk";

/** The samples of the page whose lines begin so, e.g. `frontdesk_requests_total`. */
async function samples({ address }: TestServer, name: string): Promise<readonly string[]> {
  const response = await fetch(`${address}/metrics`);
  assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  return (await response.text()).split("\n").filter((line) => line.startsWith(name));
}

async function turn({ address }: TestServer, id: string): Promise<number> {
  const session = `${APP}/sessions/${id}`;
  const { status } = await fetch(`${address}/v1beta/${session}:runSession`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ config: { session }, inputs: [{ text: "hello" }] }),
  });
  return status;
}

describe("/metrics", () => {
  it("counts requests, turns, model calls and commits, and has metrics of guests and process", async () => {
    const failure = resourceExhausted("The model is busy.");
    const model = new ScriptedModel(say("Hello"), failure);
    await using server = await startTestServer({ model, example: true });
    assert.deepEqual([await turn(server, "first"), await turn(server, "second")], [200, 429]);
    const RUN = 'method="google.cloud.ces.v1beta.SessionService/RunSession"';
    assert.deepEqual(
      (await samples(server, "frontdesk_requests_total")).filter((line) => line.includes(RUN) && !line.endsWith(" 0")),
      [
        `frontdesk_requests_total{${RUN},protocol="rest",code="OK"} 1`,
        `frontdesk_requests_total{${RUN},protocol="rest",code="RESOURCE_EXHAUSTED"} 1`,
      ],
    );
    assert.deepEqual(await samples(server, "frontdesk_model_calls_total"), [
      'frontdesk_model_calls_total{model="test/scripted",code="OK"} 1',
      'frontdesk_model_calls_total{model="test/scripted",code="RESOURCE_EXHAUSTED"} 1',
    ]);
    assert.deepEqual(await samples(server, "frontdesk_model_tokens_total"), [
      'frontdesk_model_tokens_total{model="test/scripted",direction="input"} 7',
      'frontdesk_model_tokens_total{model="test/scripted",direction="output"} 3',
    ]);
    assert.deepEqual(await samples(server, "frontdesk_turn_duration_seconds_count"), [
      'frontdesk_turn_duration_seconds_count{outcome="stored"} 1',
      'frontdesk_turn_duration_seconds_count{outcome="refused"} 1',
      'frontdesk_turn_duration_seconds_count{outcome="abandoned"} 0',
    ]);
    assert.deepEqual(await samples(server, "frontdesk_turns_running"), ["frontdesk_turns_running 0"]);
    for (const name of ["frontdesk_storage_commit_writes_count", "process_resident_memory_bytes"]) {
      const [line = ""] = await samples(server, name);
      assert.ok(Number(line.split(" ").at(-1)) > 0, name);
    }
    assert.equal((await samples(server, "frontdesk_sandbox_guests ")).length, 1);
    assert.notDeepEqual(await samples(server, "nodejs_eventloop_lag_p99_seconds"), []);
  });

  it("has a sample before the first event of each counter whose rate an alert rule follows", async () => {
    await using server = await startTestServer();
    const lost = await samples(server, 'frontdesk_operations_taken_over_total{kind="ImportApp",outcome="lost"}');
    assert.deepEqual(lost, ['frontdesk_operations_taken_over_total{kind="ImportApp",outcome="lost"} 0']);
    await fetch(`${server.address}/v1beta/projects/local/locations/us/apps`);
    const LIST = 'frontdesk_requests_total{method="google.cloud.ces.v1beta.AgentService/ListApps",protocol="rest"';
    assert.deepEqual(
      (await samples(server, LIST)).map((line) => line.slice(LIST.length)),
      [',code="UNAVAILABLE"} 0', ',code="INTERNAL"} 0', ',code="ABORTED"} 0', ',code="OK"} 1'],
    );
  });

  it("serves all other metrics while the storage fails or hangs, and says that the server is not ready", async (t) => {
    await using server = await startTestServer();
    assert.deepEqual(await samples(server, "frontdesk_ready "), ["frontdesk_ready 1"]);
    const away = () => Promise.reject(new Error("The database is away."));
    t.mock.method(server.app.storage, "check", away);
    t.mock.method(server.app.storage.exports, "oldest", away);
    const dead = t.mock.method(server.app.storage.operations, "countDead", () => new Promise(() => {}));
    for (let scrape = 0; scrape < 2; scrape++) {
      const from = performance.now();
      assert.deepEqual(await samples(server, "frontdesk_ready "), ["frontdesk_ready 0"]);
      assert.ok(performance.now() - from < 3_000);
    }
    assert.equal(dead.mock.callCount(), 1);
    assert.deepEqual(await samples(server, "frontdesk_export_oldest_seconds"), []);
    assert.deepEqual(await samples(server, "frontdesk_operations_dead_letters"), []);
    assert.deepEqual(await samples(server, "frontdesk_turns_running"), ["frontdesk_turns_running 0"]);
  });

  it("says that the server is not ready when its check hangs", async (t) => {
    await using server = await startTestServer();
    const check = t.mock.method(server.app.storage, "check", () => new Promise(() => {}));
    assert.deepEqual(await samples(server, "frontdesk_ready "), ["frontdesk_ready 0"]);
    check.mock.restore();
  });
});
