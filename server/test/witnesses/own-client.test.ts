import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { Code } from "@connectrpc/connect";
import { createFrontdeskClient, type FrontdeskClient } from "@frontdesk/client";
import { AuditService } from "@frontdesk/protos/audit/audit_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { RunSessionRequestSchema } from "@frontdesk/protos/ces/session_service";
import { startTestServer, type TestServer } from "#testing";

const PARENT = "projects/local/locations/us";

let server: TestServer;
let client: FrontdeskClient;
before(async () => {
  server = await startTestServer({ example: true });
  client = createFrontdeskClient({ address: `${server.address}/` });
});
after(() => server[Symbol.asyncDispose]());

const turn = () => ({
  config: { session: `${PARENT}/apps/order-desk/sessions/${randomUUID()}`, enableTextStreaming: true },
  inputs: [{ inputType: { case: "text" as const, value: "Where is my order A-1001?" } }],
});

describe("@frontdesk/client", () => {
  for (const revision of ["v1beta", "v1"] as const)
    it(`streams a turn of ${revision}`, async () => {
      const sessions = revision === "v1" ? client.v1.sessions : client.sessions;
      const texts: string[] = [];
      for await (const { outputs } of sessions.streamRunSession(turn()))
        for (const { outputType } of outputs) if (outputType.case === "text") texts.push(outputType.value);
      assert.match(texts.join(""), /A-1001/);
    });

  it("lists all items, page by page, as far as they are taken", async () => {
    const parent = `projects/p-${randomUUID()}/locations/us`;
    const names = Array.from({ length: 7 }, (_, at) => `${parent}/apps/paged-${at}`);
    for (const name of names) {
      const request = { parent, appId: name.split("/").at(-1) ?? "", app: { displayName: name } };
      await client.wait(await client.apps.createApp(request), AppSchema);
    }
    const pages: number[] = [];
    const list: typeof client.apps.listApps = async (request, options) => {
      const page = await client.apps.listApps(request, options);
      pages.push(page.apps.length);
      return page;
    };
    const listed: string[] = [];
    for await (const { name } of client.all(list, { parent, pageSize: 3, orderBy: "name" })) listed.push(name);
    assert.deepEqual([listed, pages], [names, [3, 3, 1]]);
    pages.length = 0;
    for await (const { name } of client.all(list, { parent, pageSize: 3, orderBy: "name" })) if (name) break;
    assert.deepEqual(pages, [3]);
    const none = client.all(client.apps.listAgents, { parent: names[0] ?? "" });
    assert.equal((await none.next()).done, true);
  });

  it("says where no server responds, with a code that one can try again after, and what is no address", async () => {
    const nobody = createFrontdeskClient({ address: "http://127.0.0.1:1" });
    await assert.rejects(nobody.apps.listApps({ parent: PARENT }), {
      name: "ConnectError",
      code: Code.Unavailable,
      rawMessage: /^no server responds at http:\/\/127\.0\.0\.1:1: /,
    });
    assert.throws(
      () => createFrontdeskClient({ address: "127.0.0.1:8080" }),
      /address is '127\.0\.0\.1:8080'; use one/,
    );
    const late = createFrontdeskClient({ address: server.address, timeoutMs: 1 });
    await assert.rejects(late.apps.listApps({ parent: PARENT }), { code: Code.DeadlineExceeded });
    const ended = client.apps.listApps({ parent: PARENT }, { signal: AbortSignal.abort() });
    await assert.rejects(ended, { code: Code.Canceled });
  });

  it("waits for an operation and returns its response", async () => {
    const request = { parent: PARENT, appId: `desk-${randomUUID().slice(0, 8)}`, app: { displayName: "Desk" } };
    const app = await client.wait(await client.apps.createApp(request), AppSchema);
    assert.equal(app.displayName, "Desk");
    assert.equal(app.name, `${PARENT}/apps/${request.appId}`);
  });

  it("says which message an operation has when it was given the schema of another", async () => {
    const request = { parent: PARENT, appId: `desk-${randomUUID().slice(0, 8)}`, app: { displayName: "Desk" } };
    const started = await client.apps.createApp(request);
    await assert.rejects(client.wait(started, RunSessionRequestSchema), /answers google\.cloud\.ces\.v1beta\.App,/);
  });

  it("rejects with the status of an operation that failed", async () => {
    const started = await client.apps.importApp({
      parent: PARENT,
      app: { case: "appContent", value: new TextEncoder().encode("no zip") },
    });
    await assert.rejects(client.wait(started, AppSchema), { name: "ConnectError", code: 3 });
  });

  it("calls a service that it does not name by its descriptor", async () => {
    const { auditEntries } = await client.service(AuditService).listAuditEntries({ parent: "projects/local" });
    assert.ok(Array.isArray(auditEntries));
  });
});

describe("credentials of @frontdesk/client", () => {
  const cases = [
    { what: "a token", options: { token: "abc" }, sent: { authorization: "Bearer abc" } },
    { what: "a function", options: { token: async () => "def" }, sent: { authorization: "Bearer def" } },
    { what: "an API key", options: { apiKey: "ghi" }, sent: { "x-goog-api-key": "ghi" } },
  ];
  for (const { what, options, sent } of cases)
    it(`are sent when given as ${what}`, async () => {
      let headers = new Headers();
      const spy: typeof fetch = (address, init) => {
        headers = new Headers(init?.headers);
        return fetch(address, init);
      };
      const caller = createFrontdeskClient({ address: server.address, fetch: spy, ...options });
      await caller.apps.listApps({ parent: PARENT });
      for (const [name, value] of Object.entries(sent)) assert.equal(headers.get(name), value);
    });
});
