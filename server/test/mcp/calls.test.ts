import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import type { JsonObject } from "#base";
import { startTestServer, type TestServer } from "#testing";
import { startWireServer } from "../wire/wire-server.ts";
import { ask, callTool, type Reply } from "./client.ts";

const PLACE = "projects/local/locations/us";
const APP = `${PLACE}/apps/order-desk`;
const EVENTS = { accept: "application/json, text/event-stream" };

let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true });
});
after(() => server[Symbol.asyncDispose]());

const call = (name: string, args: JsonObject, sending: Parameters<typeof callTool>[3] = {}): Promise<Reply> =>
  callTool(server.address, name, args, sending);
const answerOf = async (reply: Promise<Reply>): Promise<JsonObject> => {
  const { result } = await reply;
  assert.notEqual(result.isError, true, JSON.stringify(result));
  return result.structuredContent as JsonObject;
};
const rest = async (path: string, init?: RequestInit): Promise<JsonObject> =>
  (await (await fetch(`${server.address}/v1beta/${path}`, init)).json()) as JsonObject;
const refusalOf = async (reply: Promise<Reply>): Promise<string> => {
  const { result } = await reply;
  assert.equal(result.isError, true, JSON.stringify(result));
  return result.content?.[0]?.text.split("\n")[0] ?? "";
};

describe("editing over MCP", () => {
  it("rejects an update without a mask and names the mask for the fields that were sent", async () => {
    const app = { name: APP, displayName: "Desk", modelSettings: { temperature: 0.5 } };
    assert.equal(
      await refusalOf(call("update_app", { app })),
      `update_mask: An update names the fields to change; everything else stays. Send "updateMask": "displayName,modelSettings.temperature" to change just what 'app' holds.`,
    );
    assert.match(await refusalOf(call("update_app", { app: { name: APP } })), /'app' has none besides its name/);
    assert.notEqual((await rest(APP)).displayName, "Desk");
  });

  it("accepts the mask as a string in either spelling, or as a list", async () => {
    for (const [updateMask, displayName] of [
      ["displayName", "One"],
      ["display_name", "Two"],
      [["display_name"], "Three"],
    ] as const) {
      const changed = await answerOf(
        call("update_app", { app: { name: APP, displayName }, updateMask: updateMask as never }),
      );
      assert.equal(changed.displayName, displayName);
      assert.ok(String(changed.rootAgent).startsWith(APP), "the rest stays");
    }
  });

  it("checks etags where a concurrent change would be lost", async () => {
    const parent = APP;
    const agent = await answerOf(
      call("create_agent", { parent, agent: { displayName: "Short lived", instruction: "Be brief." } }),
    );
    const name = String(agent.name);
    assert.match(await refusalOf(call("delete_agent", { name, etag: "stale" })), /was changed since it was read/);
    assert.deepEqual(await answerOf(call("delete_agent", { name, etag: agent.etag ?? "" })), {});
    assert.match(await refusalOf(call("get_agent", { name })), /was not found/);
  });

  it("names invalid arguments by path and expected type, with the messages of REST", async () => {
    const agent = { displayName: 5, llmAgent: { nothing: 1 }, instruction: ["x"] };
    const { result } = await call("create_agent", { parent: APP, agent });
    const body = (await rest(`${APP}/agents`, { method: "POST", body: JSON.stringify(agent) })).error as JsonObject;
    const fields = (error: JsonObject) => JSON.stringify((error.details as JsonObject[])[0]?.fieldViolations);
    const error = (result.structuredContent as { error: JsonObject }).error;
    assert.deepEqual([error.code, error.status], [400, "INVALID_ARGUMENT"]);
    assert.match(fields(error), /agent\.display_name.*TYPE_STRING/);
    assert.match(fields(body), /display_name.*TYPE_STRING/);
    assert.match(await refusalOf(call("create_agent", { parent: APP, agnet: {} })), /agnet: .*did you mean 'agent'\?/);
    const { result: none } = await ask(server.address, "tools/call", { name: "get_app", arguments: [1] });
    assert.match(none.content?.[0]?.text ?? "", /^arguments: must be a JSON object/);
  });

  it("shows errors as REST does", async () => {
    const name = `${APP}/agents/nobody`;
    const { result } = await call("get_agent", { name });
    assert.deepEqual(result.structuredContent, await rest(name));
  });
});

describe("a dry run", () => {
  const dry = { path: "/mcp?dryRun=1" };

  it("shows the result of a change, and changes nothing", async () => {
    const before = await rest(APP);
    const app = { name: APP, displayName: "Never" };
    const { result } = await call("update_app", { app, updateMask: "displayName" }, dry);
    assert.equal((result.structuredContent as JsonObject).displayName, "Never");
    assert.match(result.content?.[1]?.text ?? "", /^Dry run: nothing was changed\./);
    assert.deepEqual(await answerOf(call("delete_app", { name: APP }, dry)), { done: true });
    const agent = await answerOf(
      call("create_agent", { parent: APP, agent: { displayName: "Ghost", instruction: "Boo." } }, dry),
    );
    assert.match(await refusalOf(call("get_agent", { name: String(agent.name) })), /was not found/);
    assert.deepEqual(await rest(APP), before);
  });

  it("fails where the call would fail", async () => {
    assert.match(await refusalOf(call("delete_app", { name: APP, etag: "stale" }, dry)), /was changed since/);
    assert.match(await refusalOf(call("delete_app", { name: `${PLACE}/apps/none` }, dry)), /was not found/);
    assert.match(await refusalOf(call("run_session", { config: {} }, dry)), /Required field is not set/);
  });

  it("runs no session and starts no operation", async () => {
    const session = `${APP}/sessions/${randomUUID()}`;
    assert.deepEqual(
      await answerOf(call("run_session", { config: { session }, inputs: [{ text: "Hello" }] }, dry)),
      {},
    );
    const place = { projectId: "local", locationId: "us", appId: "order-desk" };
    assert.deepEqual(await answerOf(call("start_export_app", place, dry)), {});
    assert.match(
      await refusalOf(call("get_conversation", { name: session.replace("sessions", "conversations") })),
      /was not found/,
    );
  });

  it("can be set for the whole server, and calls only methods that support it", async () => {
    const called: string[] = [];
    const agents = {
      exportApp: async ({ name }: { readonly name: string }) => {
        called.push(name);
        return {};
      },
    };
    await using careful = await startWireServer({ agents, mcp: { dryRun: true } });
    const { result } = await callTool(careful.url, "export_app", { name: APP, exportFormat: "YAML" });
    assert.deepEqual([result.structuredContent, called], [{}, []]);
    assert.equal(result.content?.[1]?.text, "Dry run: nothing was changed. The arguments are valid.");
  });
});

describe("a conversation over MCP", () => {
  const session = `${APP}/sessions/${randomUUID()}`;
  const name = session.replace("sessions", "conversations");
  const say = (text: string, sending = {}) => call("run_session", { config: { session }, inputs: [{ text }] }, sending);

  it("is run by run_session, which also returns its text", async () => {
    const { result } = await say("Where is my order A-1001?");
    const { outputs } = result.structuredContent as { outputs: JsonObject[] };
    assert.equal(outputs.at(-1)?.turnCompleted, true);
    assert.deepEqual(JSON.parse(result.content?.[0]?.text ?? ""), result.structuredContent);
    assert.equal(result.content?.[1]?.text, outputs.map(({ text = "" }) => text).join(""));
  });

  it("reports text as progress, and then returns the complete response", async () => {
    const { notices, result, type } = await say("Where is my order A-1001?", {
      headers: EVENTS,
      meta: { progressToken: "t" },
    });
    assert.equal(type, "text/event-stream");
    const received = notices.map(({ method, params }) => [
      method,
      (params as JsonObject).progressToken,
      (params as JsonObject).progress,
    ]);
    assert.deepEqual(
      received,
      received.map((_, index) => ["notifications/progress", "t", index + 1]),
    );
    assert.ok(received.length > 0);
    const { outputs } = result.structuredContent as { outputs: JsonObject[] };
    assert.equal(outputs.at(-1)?.turnCompleted, true);
  });

  it("is read as REST returns it, and as a transcript", async () => {
    const { result } = await call("get_conversation", { name });
    assert.deepEqual(result.structuredContent, await rest(name));
    assert.match(result.content?.[1]?.text ?? "", /^user: Where is my order A-1001\?\n/);
  });

  it("is read as far as the caller selects, and listed (MCP-17)", async () => {
    const whole = JSON.stringify(await rest(name));
    const { result } = await call("get_conversation", { name, fields: "name,turns.messages" });
    const { turns = [], ...others } = result.structuredContent as { readonly turns?: readonly JsonObject[] };
    assert.deepEqual(others, { name });
    assert.deepEqual(new Set(turns.flatMap(Object.keys)), new Set(["messages"]));
    assert.ok(JSON.stringify(result.structuredContent).length < whole.length / 2);
    assert.match(result.content?.[1]?.text ?? "", /^user: Where is my order A-1001\?\n/);
    const fields = "conversations.name,nextPageToken";
    const listed = await answerOf(call("list_conversations", { parent: APP, fields, pageSize: 1 }));
    assert.deepEqual(Object.keys((listed.conversations as readonly JsonObject[])[0] ?? {}), ["name"]);
    assert.equal(
      await refusalOf(call("get_conversation", { name, fields: "nope" })),
      "fields: Invalid field selection nope",
    );
    assert.match(await refusalOf(call("get_conversation", { name, fields: 5 })), /^fields: /);
    assert.match(await refusalOf(call("run_session", { config: { session }, fields: "outputs" })), /no such argument/);
  });

  it("has prompts to explain it and to write an evaluation from it", async () => {
    const { result } = await ask(server.address, "prompts/list");
    const prompts = result.prompts as { name: string }[];
    assert.deepEqual(
      prompts.map((prompt) => prompt.name),
      ["explain_conversation", "write_evaluation"],
    );
    for (const prompt of prompts) {
      const got = await ask(server.address, "prompts/get", { name: prompt.name, arguments: { conversation: name } });
      const messages = got.result.messages as {
        content: { text?: string; resource?: { uri: string; text: string } };
      }[];
      assert.match(messages[0]?.content.text ?? "", /user: Where is my order A-1001\?/);
      assert.equal(messages[1]?.content.resource?.uri, `frontdesk://${name}`);
      assert.deepEqual(JSON.parse(messages[1]?.content.resource?.text ?? ""), await rest(name));
    }
    const missing = await ask(server.address, "prompts/get", { name: "explain_conversation", arguments: {} });
    assert.equal(missing.error?.code, -32602);
  });
});

describe("operations over MCP", () => {
  const place = { projectId: "local", locationId: "us" };

  it("export an app and import it as a new one, with the simpler tools", async () => {
    const started = await answerOf(
      call("start_export_app", { ...place, appId: "order-desk" }, { headers: EVENTS, meta: { progressToken: 1 } }),
    );
    assert.equal(started.done, true);
    const known = await answerOf(call("get_operation", { name: started.name ?? "" }));
    assert.equal((known.response as JsonObject).appContent, started.content);
    const imported = await answerOf(
      call(
        "start_import_app",
        { ...place, appId: "second-desk", content: started.content ?? "" },
        { headers: EVENTS, meta: { progressToken: 1 } },
      ),
    );
    assert.equal(imported.done, true);
    assert.ok(!("error" in (await rest(`${PLACE}/apps/second-desk`))));
    const again = call("start_import_app", { ...place, appId: "second-desk", content: started.content ?? "" });
    assert.match(await refusalOf(again), /already exists/);
  });

  it("name a missing argument, although none is marked as required", async () => {
    assert.equal(
      await refusalOf(call("start_export_app", { projectId: "local" })),
      "locationId: Required argument, a string; appId: Required argument, a string.",
    );
    assert.match(await refusalOf(call("start_export_app", { ...place, appID: "x" })), /did you mean 'appId'/);
  });
});

describe("apps as resources", () => {
  it("are a tree of JSON, instructions, Python and schemas", async () => {
    const { result } = await ask(server.address, "resources/list");
    const resources = result.resources as { uri: string; mimeType: string }[];
    const kinds = new Set(resources.map(({ mimeType }) => mimeType));
    assert.ok(["application/json", "text/markdown", "text/x-python"].every((kind) => kinds.has(kind)));
    const uri = `frontdesk://${APP}/agents/front-desk`;
    const read = async (which: string) =>
      (await ask(server.address, "resources/read", { uri: which })).result.contents as { text: string }[];
    const agent = await rest(`${APP}/agents/front-desk`);
    assert.deepEqual(JSON.parse((await read(uri))[0]?.text ?? ""), agent);
    assert.deepEqual(await read(`${uri}#instruction`), [
      { uri: `${uri}#instruction`, mimeType: "text/markdown", text: agent.instruction },
    ]);
  });

  it("have one app per page", async () => {
    const apps = new Set<string>();
    let cursor: string | undefined;
    do {
      const { result } = await ask(server.address, "resources/list", cursor ? { cursor } : {});
      for (const { uri } of result.resources as { uri: string }[]) apps.add(/apps\/([^/#]+)/.exec(uri)?.[1] ?? "");
      cursor = result.nextCursor as string | undefined;
    } while (cursor);
    assert.ok(apps.has("order-desk") && apps.has("second-desk"), [...apps].join(" "));
  });

  it("are not listed from an unknown cursor", async () => {
    const { error } = await ask(server.address, "resources/list", { cursor: "nowhere" });
    assert.equal(error?.code, -32602);
    assert.match(error?.message ?? "", /page_token/);
  });

  it("with long addresses are refused", async () => {
    const { error } = await ask(server.address, "resources/read", { uri: "a".repeat(10_001) });
    assert.deepEqual([error?.code, error?.message], [-32602, "params.uri has 10001 characters; the limit is 10000."]);
  });

  it("that do not exist are errors of the protocol", async () => {
    for (const uri of [
      "frontdesk://nothing",
      `frontdesk://${APP}/agents/none`,
      `frontdesk://${APP}#nothing`,
      "file:///etc/passwd",
    ]) {
      const { error } = await ask(server.address, "resources/read", { uri });
      assert.deepEqual([error?.code, error?.data], [-32602, { uri }]);
    }
  });
});
