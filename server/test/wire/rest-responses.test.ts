import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { Conversation_Source } from "@frontdesk/protos/ces/conversation";
import { OperationSchema } from "@frontdesk/protos/google/longrunning/operations";
import { notFound } from "#status";
import { APP, type ErrorAnswer, json, post } from "./rest-requests.ts";
import { startWireServer } from "./wire-server.ts";

describe("REST responses", () => {
  const conversation = { name: "c", source: Conversation_Source.LIVE, turns: [{ messages: [{ role: "user" }] }, {}] };
  const agents = { getConversation: async () => conversation };
  const path = `/v1beta/${APP}/conversations/c`;

  it("have enums as numbers when gax requests it", async () => {
    await using server = await startWireServer({ agents });
    const { body } = await json<{ source: unknown }>(`${server.url}${path}?$alt=json%3Benum-encoding=int`);
    assert.equal(body.source, 1);
    assert.equal((await json<{ source: unknown }>(`${server.url}${path}`)).body.source, "LIVE");
  });

  it("have the selected fields only, by parameter or header", async () => {
    await using server = await startWireServer({ agents });
    const part = { source: "LIVE", turns: [{ messages: [{ role: "user" }] }, {}] };
    assert.deepEqual((await json(`${server.url}${path}?fields=source,turns(messages/role)`)).body, part);
    assert.deepEqual(
      (await json(`${server.url}${path}`, { headers: { "x-goog-fieldmask": "source,turns.messages.role" } })).body,
      part,
    );
    assert.equal((await json(`${server.url}${path}?fields=turns(`)).status, 400);
  });

  it("are indented on request", async () => {
    await using server = await startWireServer({ agents: { getApp: async () => ({ name: "a" }) } });
    assert.equal(await (await fetch(`${server.url}/v1/${APP}?prettyPrint=true`)).text(), '{\n  "name": "a"\n}');
  });

  it("show errors with code, status and details", async () => {
    await using server = await startWireServer({
      agents: { getApp: async ({ name }) => Promise.reject(notFound(name, "ces.googleapis.com/App")) },
    });
    assert.deepEqual(await json(`${server.url}/v1/${APP}`), {
      status: 404,
      body: {
        error: {
          code: 404,
          message: `Resource '${APP}' was not found.`,
          status: "NOT_FOUND",
          details: [
            {
              "@type": "type.googleapis.com/google.rpc.ResourceInfo",
              resourceType: "ces.googleapis.com/App",
              resourceName: APP,
            },
          ],
        },
      },
    });
  });

  it("hide the cause of an internal error", async () => {
    await using server = await startWireServer({
      agents: { getApp: async () => Promise.reject(new Error("secret path")) },
    });
    const { status, body } = await json<ErrorAnswer>(`${server.url}/v1/${APP}`);
    assert.deepEqual([status, body.error.message], [500, "Internal error. The server's log has the details."]);
    assert.deepEqual(
      server.lines.map(({ code }) => code),
      ["INTERNAL"],
    );
  });

  it("follow X-HTTP-Method-Override, with a form as the query of a GET that is too long", async () => {
    const seen: string[] = [];
    await using server = await startWireServer({
      agents: {
        listApps: async ({ filter }) => {
          seen.push(filter);
          return {};
        },
        deleteApp: async ({ name }) => ({ name }),
      },
    });
    const form = {
      method: "POST",
      body: "filter=a%20b",
      headers: { "x-http-method-override": "GET", "content-type": "application/x-www-form-urlencoded" },
    };
    assert.equal((await json(`${server.url}/v1/projects/p/locations/us/apps`, form)).status, 200);
    assert.deepEqual(seen, ["a b"]);
    const removed = await json(`${server.url}/v1/${APP}`, {
      method: "POST",
      headers: { "x-http-method-override": "DELETE" },
    });
    assert.deepEqual(removed.body, { name: APP });
  });

  it("to HEAD have headers and no body, and to OPTIONS the allowed methods", async () => {
    await using server = await startWireServer({ agents: { getApp: async () => ({ name: "a" }) } });
    const head = await fetch(`${server.url}/v1/${APP}`, { method: "HEAD" });
    assert.deepEqual([head.status, head.headers.get("content-length"), await head.text()], [200, "12", ""]);
    const options = await fetch(`${server.url}/v1/${APP}`, { method: "OPTIONS" });
    assert.deepEqual([options.status, options.headers.get("allow")], [204, "GET, PATCH, DELETE, HEAD, OPTIONS"]);
  });

  it("arrive before the deadline of X-Server-Timeout, or are DEADLINE_EXCEEDED", async () => {
    await using server = await startWireServer({ agents: { getApp: () => new Promise<never>(() => {}) } });
    const { status, body } = await json<ErrorAnswer>(`${server.url}/v1/${APP}`, {
      headers: { "x-server-timeout": "0.01" },
    });
    assert.deepEqual([status, body.error.status], [504, "DEADLINE_EXCEEDED"]);
  });

  it("have one line in the log, also without a method", async () => {
    await using server = await startWireServer({ agents: { getApp: async () => ({}) } });
    await fetch(`${server.url}/v1/${APP}`);
    await fetch(`${server.url}/v1/${APP}?nope=secret`);
    await fetch(`${server.url}/nothing`);
    assert.deepEqual(
      server.lines.map(({ method, code }) => [method, code]),
      [
        ["google.cloud.ces.v1.AgentService.GetApp", "OK"],
        [`GET /v1/${APP}`, "INVALID_ARGUMENT"],
        ["GET /nothing", "NOT_FOUND"],
      ],
    );
  });
});

describe("an operation returned to v1", () => {
  it("has v1 types in its own response too", async () => {
    const operation = create(OperationSchema, {
      name: "o",
      done: true,
      result: { case: "response", value: anyPack(AppSchema, create(AppSchema, { name: "a" })) },
    });
    await using server = await startWireServer({ agents: { createApp: async () => operation } });
    const { body } = await json(
      `${server.url}/v1/projects/p/locations/us/apps?appId=shop`,
      post({ displayName: "Shop" }),
    );
    assert.deepEqual(body, {
      name: "o",
      done: true,
      response: { "@type": "type.googleapis.com/google.cloud.ces.v1.App", name: "a" },
    });
  });
});
