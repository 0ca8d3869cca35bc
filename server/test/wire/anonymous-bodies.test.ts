import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { CreateAppRequestSchema } from "@frontdesk/protos/ces/agent_service";
import type { TestServer } from "#testing";
import { callAs, startAccessServer, tokenOf } from "../access/access-server.ts";
import { openWebSocket } from "../live/web-socket-client.ts";

const LOCATION = "projects/local/locations/us";
const MEBIBYTE = 1024 * 1024;

let server: TestServer;
before(async () => {
  server = await startAccessServer([]);
});
after(() => server[Symbol.asyncDispose]());

/** Bodies that are refused for their length alone, before anything is made of them. */
const PLACES: Readonly<Record<string, readonly [path: string, contentType: string]>> = {
  "a method over REST": [`/v1beta/${LOCATION}/apps`, "application/json"],
  "a message of MCP": ["/mcp", "application/json"],
  "a message of A2A": [`/a2a/${LOCATION}/apps/order-desk`, "application/json"],
  "a batch": ["/batch", 'multipart/mixed; boundary="edge"'],
};

async function send(place: keyof typeof PLACES, bytes: number, headers: Readonly<Record<string, string>>) {
  const [path = "", type = ""] = PLACES[place] ?? [];
  const body = `{"displayName":"${"x".repeat(bytes)}"}`;
  const init = { method: "POST", headers: { "content-type": type, ...headers }, body };
  const response = await fetch(`${server.address}${path}`, init);
  return `${response.status} ${await response.text()}`;
}

/** The same over Connect and gRPC-Web: a message of a kilobyte that is as long when it is unpacked counts, too. */
const MESSAGES: Readonly<Record<string, (bytes: number) => RequestInit>> = {
  "Connect, JSON": (bytes) => ({ headers: { "content-type": "application/json" }, body: json(bytes) }),
  "Connect, compressed": (bytes) => ({
    headers: { "content-type": "application/json", "content-encoding": "gzip" },
    body: new Uint8Array(gzipSync(json(bytes))),
  }),
  "Connect, binary": (bytes) => ({ headers: { "content-type": "application/proto" }, body: appNamed(bytes) }),
  "gRPC-Web": (bytes) => ({
    headers: { "content-type": "application/grpc-web+proto" },
    body: frameOf(appNamed(bytes)),
  }),
};

const json = (bytes: number) => JSON.stringify({ parent: LOCATION, app: { displayName: "x".repeat(bytes) } });

function appNamed(bytes: number): Uint8Array<ArrayBuffer> {
  const request = { parent: LOCATION, app: { displayName: "x".repeat(bytes) } };
  return new Uint8Array(toBinary(CreateAppRequestSchema, create(CreateAppRequestSchema, request)));
}

function frameOf(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(5 + message.length);
  new DataView(frame.buffer).setUint32(1, message.length);
  frame.set(message, 5);
  return frame;
}

async function call(form: keyof typeof MESSAGES, bytes: number, token?: string): Promise<string> {
  const init = MESSAGES[form]?.(bytes) ?? {};
  const headers = { ...init.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const path = "/google.cloud.ces.v1beta.AgentService/CreateApp";
  const response = await fetch(`${server.address}${path}`, { ...init, method: "POST", headers });
  return `${response.headers.get("grpc-message") ?? ""} ${await response.text()}`;
}

describe("a caller without a credential, where callers must be known (WIRE-72)", () => {
  for (const place in PLACES) {
    it(`sends a mebibyte at most: ${place}`, async () => {
      // Who has no credential learns what it would be good for.
      const refusal = /size exceeds the limit: 1048576 bytes\. A caller with a credential may send \d+ bytes\./;
      assert.match(await send(place, MEBIBYTE, {}), refusal);
      assert.doesNotMatch(await send(place, MEBIBYTE - 100, {}), /exceeds the limit: 1048576/);
      const known = { authorization: `Bearer ${tokenOf("root")}` };
      assert.doesNotMatch(await send(place, MEBIBYTE, known), /exceeds the limit: 1048576/);
    });
  }
  for (const form in MESSAGES) {
    it(`sends a mebibyte at most: ${form}`, async () => {
      const tooLong = /readMaxBytes 1048576|the%20limit%20is%201048576/;
      assert.match(await call(form, MEBIBYTE), tooLong);
      assert.doesNotMatch(await call(form, MEBIBYTE - 200), tooLong);
      assert.doesNotMatch(await call(form, MEBIBYTE, tokenOf("root")), tooLong);
    });
  }

  it("sends messages of a mebibyte at most to an app that is open to all: WebSocket", async () => {
    const app = `${LOCATION}/apps/open-app`;
    const made = await callAs(server, "root", "POST", `${LOCATION}/apps?appId=open-app`, { displayName: "Open" });
    assert.equal(made.status, 200, JSON.stringify(made.json));
    const bindings = [{ role: "roles/ces.client", members: ["allUsers"] }];
    await callAs(server, "root", "POST", `${app}:setIamPolicy`, { policy: { bindings } });
    const closed = async (bytes: number) => {
      await using socket = await openWebSocket(server.address);
      socket.send({ config: { session: `${app}/sessions/open-session` }, unknown: "x".repeat(bytes) });
      socket.raw("{"); // which ends a conversation whose first message was taken
      return (await socket.closed).reason;
    };
    assert.match(await closed(MEBIBYTE), /limit is 1048576 bytes without a credential, \d+ with one\.$/);
    assert.doesNotMatch(await closed(MEBIBYTE - 200), /limit is 1048576/);
  });
});
