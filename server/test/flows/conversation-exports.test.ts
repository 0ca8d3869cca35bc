import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "#app";
import type { JsonObject } from "#base";
import { call as callOf, ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { startBigQueryTables, startCloudLogging } from "#testing/google";
import { type Rest, restOf } from "../rest.ts";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/clinic`;
const SESSION = `${APP}/sessions/one-session`;
const LOGS = "warehouse-project.calls.v1beta_logs";
const UNREDACTED = "warehouse-project.calls.v1beta_unredacted_logs";
const BIGQUERY = { enabled: true, project: "warehouse-project", dataset: "calls" };
const EVERYTHING = {
  redactionConfig: { enableRedaction: true },
  bigqueryExportSettings: BIGQUERY,
  unredactedBigqueryExportSettings: BIGQUERY,
  cloudLoggingSettings: { enableCloudLogging: true },
};

const access = (endpoint: string) => ({ endpoint, accessToken: async () => "a-token", timeoutMs: 5_000 });

/** An app with a tool and these logging settings; the call that tests make of its server. */
async function createClinic(server: TestServer, loggingSettings: JsonObject): Promise<Rest> {
  const call = restOf(() => server);
  await call("POST", `${PARENT}/apps?appId=clinic`, { displayName: "Clinic", loggingSettings });
  await call("POST", `${APP}/tools?toolId=find-slot`, {
    pythonFunction: { name: "find_slot", pythonCode: "def find_slot(day: str) -> dict:\n    return {'slot': day}\n" },
  });
  const tools = [`${APP}/tools/find-slot`];
  await call("POST", `${APP}/agents?agentId=front-desk`, { displayName: "Front", tools });
  await call("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/front-desk` });
  return call;
}

const ask = (call: Rest, text: string) =>
  call("POST", `${SESSION}:runSession`, { config: { session: SESSION }, inputs: [{ text }] });

/** Waits for what comes after an answer: exports never delay one. */
async function eventually<Value>(read: () => Value | undefined | Promise<Value | undefined>): Promise<Value> {
  for (let tries = 0; tries < 600; tries += 1) {
    const value = await read();
    if (value !== undefined) return value;
    await delay(50);
  }
  throw new Error("it did not happen within 30 s");
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-exports-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const metric = async (server: TestServer, line: string): Promise<number> => {
  const text = await (await fetch(`${server.address}/metrics`)).text();
  const found = text.split("\n").find((each) => each.startsWith(line));
  return Number(found?.slice(line.length));
};

const DELIVERED = 'frontdesk_exported_turns_total{service="bigquery.googleapis.com",outcome="delivered"}';
const FAILED = 'frontdesk_exported_turns_total{service="bigquery.googleapis.com",outcome="failed"}';

describe("the export of conversations (CONV-17, CONV-18)", () => {
  it("writes each turn to BigQuery, redacted and unredacted, and redacted to Cloud Logging", async () => {
    await using bigquery = await startBigQueryTables({ datasets: ["warehouse-project.calls"] });
    await using logging = await startCloudLogging();
    const model = new ScriptedModel(callOf("find_slot", { day: "Monday" }), say("Write to ann@mail.example."));
    await using server = await startTestServer({
      model,
      config: {
        egressAllow: ["127.0.0.1"],
        bigqueryExport: access(bigquery.address),
        cloudLogging: { ...access(logging.address), project: "log-project" },
      },
    });
    const call = await createClinic(server, EVERYTHING);
    assert.equal((await call("GET", APP)).validationErrors, undefined);
    await ask(call, "Call me at +1 650 253 0000");
    const row = await eventually(() => bigquery.rows(LOGS)?.[0]);
    const original = await eventually(() => bigquery.rows(UNREDACTED)?.[0]);
    const entry = await eventually(() => logging.entries[0]);
    const payload = row.json_payload as { readonly query_result: JsonObject; readonly messages: string };
    assert.deepEqual(
      [row.conversation_id, row.turn_index, row.source, row.app_version_id],
      ["one-session", 1, "LIVE", ""],
    );
    assert.deepEqual(payload.query_result, {
      generations: [
        {
          agent: "Front",
          text: "",
          tool_calls: [{ name: "find_slot", input: '{"day":"Monday"}', output: '{"result":{"slot":"Monday"}}' }],
        },
        { agent: "Front", text: "Write to [EMAIL_ADDRESS].", tool_calls: [] },
      ],
    });
    assert.match(JSON.stringify(original), /ann@mail\.example.*253 0000|253 0000.*ann@mail\.example/);
    assert.doesNotMatch(JSON.stringify([row, entry]), /ann@mail|253 0000/);
    const { logName, labels, jsonPayload } = entry as { logName: string; labels: JsonObject; jsonPayload: JsonObject };
    assert.equal(logName, "projects/log-project/logs/ces.googleapis.com%2Fresponses");
    assert.deepEqual(labels, {
      app_id: "clinic",
      session_id: "one-session",
      deployment_id: "",
      app_version_id: "",
      location_id: "us",
    });
    const { messages, rootSpan } = jsonPayload.diagnosticInfo as { messages: JsonObject[]; rootSpan: JsonObject };
    assert.deepEqual([jsonPayload.turnIndex, jsonPayload.text], [1, "Write to [EMAIL_ADDRESS]."]);
    assert.deepEqual([messages.length > 0, rootSpan.name], [true, "Turn"]);
    assert.deepEqual([...new Set(bigquery.requests.map(({ authorization }) => authorization))], ["Bearer a-token"]);
  });

  it("keeps turns while the service fails, over a restart, and delivers each once", async (t) => {
    const dataDir = await temporaryFolder(t);
    const down = { status: 500, errorMessage: "Backend error." };
    await using bigquery = await startBigQueryTables({
      datasets: ["warehouse-project.calls"],
      broken: [down],
    });
    const config: Partial<Config> = { egressAllow: ["127.0.0.1"], bigqueryExport: access(bigquery.address) };
    const start = (...answers: readonly string[]) =>
      startTestServer({ model: new ScriptedModel(...answers.map((text) => say(text))), config, dataDir });
    {
      await using server = await start("One.", "Two.");
      const call = await createClinic(server, { bigqueryExportSettings: BIGQUERY });
      assert.equal((await ask(call, "first")).outputs[0].text, "One.");
      await eventually(async () => ((await metric(server, FAILED)) === 1 ? true : undefined));
      assert.equal((await ask(call, "second")).outputs[0].text, "Two.");
      assert.equal(bigquery.rows(LOGS), undefined);
      assert.equal((await metric(server, "frontdesk_export_oldest_seconds")) > 0, true);
    }
    await using server = await start();
    await eventually(async () => ((await metric(server, DELIVERED)) === 2 ? true : undefined));
    assert.deepEqual(
      bigquery.rows(LOGS)?.map(({ turn_index }) => turn_index),
      [1, 2],
    );
    assert.equal(await metric(server, "frontdesk_export_oldest_seconds"), 0);
  });

  it("drops the turns that wait when their app is deleted", async () => {
    await using bigquery = await startBigQueryTables({
      datasets: ["warehouse-project.calls"],
      broken: [{ status: 500, errorMessage: "Backend error." }],
    });
    await using server = await startTestServer({
      model: new ScriptedModel(say("One.")),
      config: { egressAllow: ["127.0.0.1"], bigqueryExport: access(bigquery.address) },
    });
    const call = await createClinic(server, { bigqueryExportSettings: BIGQUERY });
    await ask(call, "first");
    await eventually(async () => ((await metric(server, FAILED)) === 1 ? true : undefined));
    assert.equal((await metric(server, "frontdesk_export_oldest_seconds")) > 0, true);
    await call("DELETE", APP);
    assert.equal(await metric(server, "frontdesk_export_oldest_seconds"), 0);
  });

  it("exports nothing of unlogged conversations, and nothing where a setting cannot work; the app says why", async () => {
    await using bigquery = await startBigQueryTables({ datasets: ["warehouse-project.calls"] });
    const errorsOf = async (config: Partial<Config>, loggingSettings: JsonObject) => {
      const model = new ScriptedModel(say("Hello."));
      await using server = await startTestServer({ model, config: { egressAllow: ["127.0.0.1"], ...config } });
      const call = await createClinic(server, loggingSettings);
      await ask(call, "Hi");
      assert.deepEqual(await server.app.storage.exports.destinations(), []);
      return (await call("GET", APP)).validationErrors;
    };
    const bigqueryExport = { ...access(bigquery.address), projects: ["another-project"] };
    const section = (name: string, label: string) =>
      `${label} is not configured here; add the section ${name} to the config file.`;
    assert.deepEqual(await errorsOf({}, EVERYTHING), [
      `logging_settings.bigquery_export_settings: ${section("bigqueryExport", "BigQuery")}`,
      `logging_settings.unredacted_bigquery_export_settings: ${section("bigqueryExport", "BigQuery")}`,
      `logging_settings.cloud_logging_settings: ${section("cloudLogging", "Cloud Logging")}`,
    ]);
    const withoutDataset = { ...BIGQUERY, dataset: "" };
    const settings = { bigqueryExportSettings: BIGQUERY, unredactedBigqueryExportSettings: withoutDataset };
    assert.deepEqual(await errorsOf({ bigqueryExport }, settings), [
      "logging_settings.bigquery_export_settings: the project 'warehouse-project' is not among bigqueryExport.projects of the config file; add it there.",
      "logging_settings.unredacted_bigquery_export_settings: dataset is not the id of a dataset: letters, digits and underscores.",
    ]);
    const ofOthers = { ...access(bigquery.address), apps: ["projects/another/*"] };
    assert.deepEqual(await errorsOf({ bigqueryExport: ofOthers }, { bigqueryExportSettings: BIGQUERY }), [
      "logging_settings.bigquery_export_settings: this app is not among bigqueryExport.apps of the config file; add it there.",
    ]);
    const unlogged = { conversationLoggingSettings: { disableConversationLogging: true } };
    assert.deepEqual(
      await errorsOf({ bigqueryExport: access(bigquery.address) }, { bigqueryExportSettings: BIGQUERY, ...unlogged }),
      ["logging_settings.bigquery_export_settings: has no effect, since disable_conversation_logging is on."],
    );
    assert.deepEqual(bigquery.requests, []);
  });

  it("leaves out the trace of a turn that is too long for a log entry", async () => {
    await using logging = await startCloudLogging();
    const long = "word ".repeat(60_000);
    await using server = await startTestServer({
      model: new ScriptedModel(say("Short.")),
      config: { egressAllow: ["127.0.0.1"], cloudLogging: access(logging.address) },
    });
    const call = await createClinic(server, { cloudLoggingSettings: { enableCloudLogging: true } });
    await ask(call, long);
    const { jsonPayload } = await eventually(() => logging.entries[0]);
    assert.deepEqual(jsonPayload, { text: "Short.", turnIndex: 1, turnCompleted: true });
  });
});
