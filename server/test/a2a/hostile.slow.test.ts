import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { fromJson, toBinary } from "@bufbuild/protobuf";
import { A2AService } from "@frontdesk/protos/a2a/a2a";
import * as grpc from "@grpc/grpc-js";
import { type AgentServer, APP, startAgentServer } from "./agent-server.ts";
import { wiresTo } from "./wires.ts";

let guide: AgentServer;
before(async () => {
  guide = await startAgentServer();
});
after(() => guide[Symbol.asyncDispose]());

/** A sequence of numbers from 0 to 1 that is the same in every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const WORDS = [
  "",
  "a",
  "\u0000",
  "💥",
  "__proto__",
  "constructor",
  "../..",
  "TASK_STATE_COMPLETED",
  "ROLE_AGENT",
  "x".repeat(5_000),
  "NaN",
  "1e999",
];
const NAMES = [
  "message",
  "parts",
  "text",
  "raw",
  "url",
  "data",
  "role",
  "messageId",
  "taskId",
  "contextId",
  "metadata",
  "configuration",
  "id",
  "tenant",
  "extensions",
  "__proto__",
  "mediaType",
  "filename",
  "historyLength",
  "pageSize",
  "pageToken",
  "taskPushNotificationConfig",
  "authentication",
];

function randomValue(random: () => number, depth: number): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const kinds = ["word", "number", "flag", "null", "list", "object", "object", "deep"];
  switch (depth > 5 ? "word" : pick(kinds)) {
    case "number":
      return pick([0, -1, 1.5, 2 ** 40, -(2 ** 63), 1e308]);
    case "flag":
      return random() < 0.5;
    case "null":
      return null;
    case "list":
      return Array.from({ length: Math.floor(random() * 4) }, () => randomValue(random, depth + 1));
    case "object":
      return Object.fromEntries(
        Array.from({ length: Math.floor(random() * 6) }, () => [pick(NAMES), randomValue(random, depth + 1)]),
      );
    case "deep":
      return JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`);
    default:
      return pick(WORDS);
  }
}

/** A valid message with one member replaced by something. */
function damaged(random: () => number): unknown {
  const message: Record<string, unknown> = { messageId: "m", role: "ROLE_USER", parts: [{ text: "say Hello." }] };
  const name = NAMES[Math.floor(random() * NAMES.length)] ?? "";
  message[name] = randomValue(random, 2);
  return { message, configuration: random() < 0.3 ? randomValue(random, 2) : undefined };
}

const METHODS = [
  "SendMessage",
  "GetTask",
  "ListTasks",
  "CancelTask",
  "SubscribeToTask",
  "CreateTaskPushNotificationConfig",
  "SendStreamingMessage",
  "message/send",
  "tasks/get",
  "tasks/pushNotificationConfig/set",
  "tasks/resubscribe",
];

/** The status of a unary call with these bytes. INTERNAL is the standard's own for bytes that are no message, and for nothing else. */
function codeOf(client: grpc.Client, path: string, bytes: Buffer): Promise<number> {
  const same = (given: Buffer) => given;
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, same, same, bytes, (error) => {
      const { code = grpc.status.OK, details = "" } = error ?? {};
      resolve(details.startsWith("parse binary: ") ? NO_MESSAGE : code);
    });
  });
}

const NO_MESSAGE = -1;

describe("requests that nobody expects", () => {
  it("are answered or refused, and never with an internal error", async () => {
    const random = randomOf(17);
    const url = `${guide.server.address}/a2a/${APP}`;
    for (let round = 0; round < 220; round += 1) {
      const method = METHODS[round % METHODS.length];
      const params = /send|Send/.test(method ?? "") && random() < 0.7 ? damaged(random) : randomValue(random, 0);
      const body = JSON.stringify({ jsonrpc: "2.0", id: round, method, params });
      const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
      const text = await response.text();
      assert.equal(response.status, 200, `${body}: ${text}`);
      assert.doesNotMatch(text, /-32603|Internal/i, body.slice(0, 2_000));
    }
  });

  it("are refused by HTTP+JSON likewise", async () => {
    const random = randomOf(42);
    const base = `${guide.server.address}/a2a/${APP}`;
    for (let round = 0; round < 80; round += 1) {
      const body = JSON.stringify(random() < 0.7 ? damaged(random) : randomValue(random, 0));
      const headers = { "content-type": "application/a2a+json" };
      const response = await fetch(`${base}/message:send`, { method: "POST", headers, body });
      const text = await response.text();
      assert.ok(response.status < 500, `${body}: ${text}`);
    }
  });

  it("are refused by gRPC likewise, whatever their bytes are", async () => {
    const random = randomOf(99);
    const client = new grpc.Client(new URL(guide.server.address).host, grpc.credentials.createInsecure());
    const { input } = A2AService.method.sendMessage;
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "say Hello." }], metadata: { a: [1] } };
    const valid = toBinary(input, fromJson(input, { tenant: APP, message }));
    const codes = new Set<number>();
    for (let round = 0; round < 300; round += 1) {
      const bytes = Buffer.from(round % 3 === 0 ? valid.map(() => random() * 256) : valid);
      for (let times = random() * 4; times > 0; times -= 1)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      const method = ["SendMessage", "GetTask", "ListTasks", "CreateTaskPushNotificationConfig"][round % 4];
      codes.add(await codeOf(client, `/lf.a2a.v1.A2AService/${method}`, bytes));
    }
    client.close();
    assert.ok(!codes.has(grpc.status.INTERNAL) && !codes.has(grpc.status.UNKNOWN), [...codes].join());
    assert.ok(codes.has(grpc.status.INVALID_ARGUMENT) && codes.has(NO_MESSAGE));
  });

  it("are refused in addresses likewise", async () => {
    const names = ["%00", "%ff", "..%2f..%2fapps", "a".repeat(3_000), "💥", "%E0%A4%A", "tasks:subscribe", "' or 1=1"];
    for (const name of names) {
      for (const path of [
        `/a2a/${APP}/tasks/${name}`,
        `/a2a/${name}`,
        `/a2a/${APP}${name}/.well-known/agent-card.json`,
      ]) {
        const response = await fetch(guide.server.address + path);
        assert.ok(response.status >= 400 && response.status < 500, `${path}: ${response.status}`);
        await response.text();
      }
    }
  });

  it("leave tasks as they are, and the server at work", async () => {
    for (const wire of wiresTo(guide.server.address, APP)) {
      const { value } = await wire.call("sendMessage", {
        message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "say Fine." }] },
      });
      assert.equal(value.task.artifacts[0].parts[0].text, "Fine.");
      wire.close();
    }
  });
});
