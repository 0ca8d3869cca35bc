import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { AgentService as AgentServiceV1 } from "@frontdesk/protos/ces-v1/agent_service";
import { notFound } from "#status";
import { startWireServer } from "./wire-server.ts";

const TRANSPORTS: Readonly<Record<string, (baseUrl: string) => Transport>> = {
  "Connect, JSON, HTTP/1.1": (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1" }),
  "Connect, binary, HTTP/2": (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "2", useBinaryFormat: true }),
  "gRPC-Web, HTTP/1.1": (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
  "gRPC-Web, HTTP/2": (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "2" }),
  "gRPC, HTTP/2": (baseUrl) => createGrpcTransport({ baseUrl }),
};

for (const [name, transportTo] of Object.entries(TRANSPORTS)) {
  describe(`a connect client over ${name}`, () => {
    it("calls v1beta and v1, each with its own messages", async () => {
      await using server = await startWireServer({
        agents: {
          getApp: async (request, { protocol }) => ({
            name: request.name,
            description: protocol,
            evaluationPersonas: [{ name: "p" }],
          }),
        },
      });
      const app = await createClient(AgentService, transportTo(server.url)).getApp({ name: "a" });
      assert.deepEqual(
        [app.name, app.evaluationPersonas.length, app.description],
        ["a", 1, name.split(",")[0]?.toLowerCase()],
      );
      const old = await createClient(AgentServiceV1, transportTo(server.url)).getApp({ name: "a" });
      assert.deepEqual([old.name, old.$unknown], ["a", undefined]);
    });

    it("gets errors with message and details", async () => {
      const missing = "projects/p/apps/größe";
      await using server = await startWireServer({ agents: { getApp: async () => Promise.reject(notFound(missing)) } });
      const call = createClient(AgentService, transportTo(server.url)).getApp({ name: "a" });
      const error = await call.then(() => assert.fail("it was answered"), ConnectError.from);
      assert.deepEqual(
        [error.code, error.rawMessage, error.details.length],
        [Code.NotFound, `Resource '${missing}' was not found.`, 1],
      );
    });

    it("reads a stream", async () => {
      await using server = await startWireServer({
        sessions: {
          streamRunSession: async function* () {
            for (const value of ["one", "two"]) yield { outputs: [{ outputType: { case: "text" as const, value } }] };
          },
        },
      });
      const texts: unknown[] = [];
      const stream = createClient(SessionService, transportTo(server.url)).streamRunSession({
        config: { session: "s" },
        inputs: [{ inputType: { case: "text", value: "hi" } }],
      });
      for await (const { outputs } of stream) texts.push(...outputs.map(({ outputType }) => outputType.value));
      assert.deepEqual(texts, ["one", "two"]);
    });
  });
}

describe("Connect over plain HTTP", () => {
  const post = (url: string, path: string, body: string) =>
    fetch(url + path, { method: "POST", body, headers: { "content-type": "application/json" } });

  it("is a POST of JSON to the method's path", async () => {
    await using server = await startWireServer({ agents: { getApp: async ({ name }) => ({ name }) } });
    const response = await post(
      server.url,
      "/google.cloud.ces.v1beta.AgentService/GetApp",
      '{"name": "a", "newer": 1}',
    );
    assert.deepEqual([response.status, await response.json()], [200, { name: "a" }]);
  });

  it("answers 413 for a message above the limit, with the code that the protocol has for it", async () => {
    await using server = await startWireServer({
      requests: { maxBodyBytes: 1_000 },
      agents: { getApp: async () => ({}) },
    });
    const path = "/google.cloud.ces.v1beta.AgentService/GetApp";
    const response = await post(server.url, path, JSON.stringify({ name: "a".repeat(2_000) }));
    assert.deepEqual(
      [response.status, ((await response.json()) as { code: string }).code],
      [413, "resource_exhausted"],
    );
    assert.deepEqual(
      server.lines.map(({ code }) => code),
      ["RESOURCE_EXHAUSTED"],
    );
  });

  it("responds with Connect's error body for an unknown method", async () => {
    await using server = await startWireServer();
    const response = await post(server.url, "/google.cloud.ces.v1beta.AgentService/Nope", "{}");
    assert.deepEqual(
      [response.status, await response.json()],
      [
        404,
        {
          code: "unimplemented",
          message: "Method /google.cloud.ces.v1beta.AgentService/Nope is not known to this server.",
        },
      ],
    );
  });
});
