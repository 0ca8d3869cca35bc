import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { examine, readConfig } from "#app";
import { type AuditEntry, toEntry } from "#audit";
import { ScriptedModel, say, startTestServer, type TestServer } from "#testing";

const ANN = { principal: "user:ann@example.com", token: "token-of-ann-0123456789", roles: [] };
const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/the-shop`;
const SECRET = "hush-hush-0123456789";

let server: TestServer;
let file: string;
const model = new ScriptedModel();

before(async () => {
  file = join(await mkdtemp(join(tmpdir(), "frontdesk-audit-")), "audit.jsonl");
  const audit = { records: new Set(["write", "use"] as const), file, keepMs: 86_400_000, required: false };
  server = await startTestServer({ model, config: { audit, identities: [ANN] } });
});
after(() => server[Symbol.asyncDispose]());

describe("the audit log", () => {
  it("ends the start when its file cannot be written, and is a fault for the doctor", async () => {
    const folder = join(file, "..", "nowhere");
    const missing = join(folder, "audit.jsonl");
    const start = (name: string) =>
      startTestServer({
        config: { audit: { records: new Set(["write"]), file: name, keepMs: 86_400_000, required: false } },
      });
    await assert.rejects(start(missing), /^ConfigError: audit\.file: there is no folder '.*nowhere'; make a folder/);
    await assert.rejects(start(tmpdir()), /audit\.file: '.*' is a folder/);
    const settings = ["--data", folder, "--port", "0"];
    const findings = await examine(readConfig(settings, { FRONTDESK_CONFIG_CONTENT: `audit: { file: ${missing} }` }));
    const found = findings.find(({ name }) => name === "audit file");
    assert.deepEqual([found?.state, found?.detail], ["fault", `there is no folder '${folder}'`]);
  });

  it("is not said to be missing where the system does not tell, and neither is the data folder", async (test) => {
    const folder = await mkdtemp(join(tmpdir(), "frontdesk-audit-"));
    test.after(() => rm(folder, { recursive: true }));
    const loop = join(folder, "loop");
    await symlink("loop", loop);
    const settings = readConfig(["--data", join(loop, "data"), "--port", "0"], {
      FRONTDESK_CONFIG_CONTENT: `audit: { file: ${join(loop, "audit.jsonl")} }`,
    });
    const details = (await examine(settings)).flatMap(({ name, state, detail }) =>
      name === "audit file" || name === "data folder" ? [`${state}: ${detail}`] : [],
    );
    assert.match(details[0] ?? "", /^fault: .*loop\/data cannot be looked at \(ELOOP: /);
    assert.match(details[1] ?? "", /^fault: it cannot be written \(ELOOP: .*audit\.jsonl'\)$/);
  });

  it("has a change with who made it, from where, and the resource, before the answer comes", async () => {
    await post(`${PARENT}/apps?appId=the-shop`, { displayName: SECRET });
    const entry = await newest();
    assert.equal(entry.method, "google.cloud.ces.v1beta.AgentService.CreateApp");
    assert.equal(entry.resource, APP, "the app that was made, not its parent");
    assert.equal(entry.principal, ANN.principal);
    assert.equal(entry.address, "127.0.0.1");
    assert.equal(entry.protocol, "rest");
    assert.equal(entry.category, "write");
    assert.equal(entry.outcome, "OK");
  });

  it("has a change that was refused, with the reason", async () => {
    await post(`${PARENT}/apps?appId=the-shop`, { displayName: "Again" });
    const entry = await newest();
    assert.equal(entry.outcome, "ALREADY_EXISTS");
    assert.equal(entry.resource, PARENT);
  });

  it("has the beginning of a name of a million characters, which a refused caller may send too", async () => {
    const name = `projects/local/${"x".repeat(1_000_000)}`;
    const response = await fetch(`${server.address}/google.cloud.ces.v1beta.AgentService/DeleteApp`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${ANN.token}` },
      body: JSON.stringify({ name }),
    });
    assert.equal(response.status, 400);
    assert.equal((await newest()).resource, `${name.slice(0, 1_000)}…`);
  });

  it("has the use of an app when that is asked for, and no reads, which are not asked for", async () => {
    model.extend(say("Hello."));
    await post(`${APP}/sessions/one-session:runSession`, { config: {}, inputs: [{ text: SECRET }] });
    await fetch(`${server.address}/v1beta/${APP}`);
    // Answers of other calls than changes do not wait for their entries.
    await server.app.audit.close();
    const entry = await newest();
    assert.equal(entry.category, "use");
    assert.equal(entry.resource, `${APP}/sessions/one-session`);
  });

  it("has no questions for permissions, policies and schemas, which change nothing although they are POSTs", async () => {
    const app = `${PARENT}/apps/asked-shop`;
    await post(`${PARENT}/apps?appId=asked-shop`, { displayName: "Asked" });
    const pythonCode = "def hours() -> int:\n  return 8";
    await post(`${app}/tools?toolId=hours`, { displayName: "hours", pythonFunction: { name: "hours", pythonCode } });
    await post(`${app}:testIamPermissions`, { permissions: ["ces.apps.get"] });
    await post(`${app}:getIamPolicy`, {});
    await post(`${app}:retrieveToolSchema`, { tool: `${app}/tools/hours` });
    await server.app.audit.close();
    const rows = await server.app.storage.audit.list({ resource: app, limit: 10 });
    assert.deepEqual(
      rows.map(toEntry).map(({ method, outcome }) => `${method.split(".").at(-1)} ${outcome}`),
      ["GetIamPolicy PERMISSION_DENIED", "CreateTool OK", "CreateApp OK"],
      "who asks for a policy without the right to is a refusal, which is recorded",
    );
  });

  it("has a conversation over a stream with the session that its config names", async () => {
    const session = `${APP}/sessions/a-stream`;
    const client = createClient(SessionService, createGrpcTransport({ baseUrl: server.address }));
    const messages = async function* () {
      yield { messageType: { case: "config" as const, value: { session } } };
    };
    const headers = { authorization: `Bearer ${ANN.token}` };
    for await (const _ of client.bidiRunSession(messages(), { headers }));
    await server.app.audit.close();
    const entry = await newest();
    assert.match(entry.method, /BidiRunSession$/);
    assert.equal(entry.resource, session);
  });

  it("has no body of a request, no token, and is a line of JSON in the file", async () => {
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    assert.equal(lines.length, (await server.app.storage.audit.list({ limit: 100 })).length);
    const told = JSON.parse(lines[0] ?? "") as Record<string, unknown>;
    assert.match(String(told.time), /^\d{4}-\d\d-\d\dT/);
    assert.ok(!lines.join().includes(SECRET) && !lines.join().includes(ANN.token));
  });

  it("is read over the API, by project, resource and caller, page by page", async () => {
    const list = async (query: string, project = "local") => {
      const response = await fetch(`${server.address}/v1beta/projects/${project}/auditEntries?${query}`);
      return (await response.json()) as {
        readonly auditEntries?: readonly { readonly method: string; readonly principal: string }[];
        readonly nextPageToken?: string;
        readonly error?: { readonly message: string };
      };
    };
    const all = await list(`resource=${APP}&principal=${ANN.principal}`);
    assert.deepEqual(
      all.auditEntries?.map(({ method }) => method.split(".").at(-1)),
      ["BidiRunSession", "RunSession", "CreateApp"],
    );
    const first = await list("pageSize=1");
    const second = await list(`pageSize=1&pageToken=${first.nextPageToken}`);
    assert.notDeepEqual(first.auditEntries, second.auditEntries);
    assert.equal((await list("", "another")).auditEntries, undefined, "another project's entries are its own");
    assert.match(String((await list(`resource=${APP}`, "another")).error?.message), /is not in 'projects\/another'/);
  });

  it("cannot be changed, not even with SQL", () => {
    using database = new DatabaseSync(join(server.dataDir, "frontdesk.db"));
    assert.throws(() => database.exec("update audit set principal = 'user:nobody@example.com'"), /never changed/);
  });
});

async function newest(): Promise<AuditEntry> {
  const [row] = await server.app.storage.audit.list({ limit: 1 });
  assert.ok(row);
  return toEntry(row);
}

async function post(path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${ANN.token}` };
  const response = await fetch(`${server.address}/v1beta/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
}
