import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";

const APP = "projects/local/locations/us/apps/order-desk";

let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true });
});
after(() => server[Symbol.asyncDispose]());

interface Answer {
  readonly status: number;
  readonly error: { readonly status: string; readonly message: string };
}

async function post(path: string, body: string | Uint8Array<ArrayBuffer>): Promise<Answer> {
  const response = await fetch(`${server.address}/v1beta/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const { error } = (await response.json()) as { error?: Answer["error"] };
  return { status: response.status, error: error ?? { status: "OK", message: "" } };
}

/** The server still answers others. */
async function stillServing(): Promise<void> {
  const session = `${APP}/sessions/${randomUUID()}`;
  assert.equal((await post(`${session}:runSession`, JSON.stringify({ inputs: [{ text: "hello" }] }))).status, 200);
}

describe("bad input", () => {
  const run = () => `${APP}/sessions/${randomUUID()}:runSession`;

  it("rejects JSON that does not parse, with the place", async () => {
    const { status, error } = await post(run(), '{"inputs": [}');
    assert.deepEqual([status, error.status], [400, "INVALID_ARGUMENT"]);
    assert.match(error.message, /JSON/);
  });

  it("rejects a field of the wrong type, with its name", async () => {
    const { status, error } = await post(run(), '{"inputs": [{"text": 5}]}');
    assert.equal(status, 400);
    assert.match(error.message, /text/);
  });

  it("rejects invalid UTF-8", async () => {
    const { status, error } = await post(
      run(),
      Buffer.concat([Buffer.from('{"inputs":[{"text":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}]}')]),
    );
    assert.deepEqual([status, error.status], [400, "INVALID_ARGUMENT"]);
    assert.match(error.message, /UTF-8/);
  });

  it("rejects a turn without inputs, naming the field", async () => {
    const { error } = await post(run(), "{}");
    assert.equal(error.status, "INVALID_ARGUMENT");
    assert.match(error.message, /inputs/);
  });

  it("stops reading 100 MB of JSON", async () => {
    const { hostname, port } = new URL(server.address);
    const socket = connect(Number(port), hostname);
    const answered = new Promise<string>((resolve) => {
      socket.once("data", (data) => resolve(data.toString()));
      socket.once("close", () => resolve("closed without an answer"));
    });
    socket.on("error", () => {}); // The server may close while this side still writes.
    const size = 100 * 1024 * 1024;
    socket.write(
      `POST /v1beta/${run()} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n\r\n{"inputs":"`,
    );
    const chunk = Buffer.alloc(64 * 1024, 97);
    // As fast as the server takes it: what it does not take would fill the memory of this process on a busy machine.
    const pump = () => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on("drain", pump);
    pump();
    const text = await answered;
    socket.off("drain", pump);
    socket.destroy();
    assert.match(text, /^HTTP\/1\.1 (400|413) /);
    await stillServing();
  });

  it("rejects a package with a path that leaves it, and writes nothing", async () => {
    const { zipSync, strToU8 } = await import("fflate");
    const zip = zipSync({
      "shop/app.json": strToU8('{"displayName": "Climber"}'),
      "shop/../../evil.txt": strToU8("x"),
    });
    const body = JSON.stringify({ appId: "climber", appContent: Buffer.from(zip).toString("base64") });
    const response = await fetch(`${server.address}/v1beta/projects/local/locations/us/apps:importApp`, {
      method: "POST",
      body,
    });
    const answer = JSON.stringify(await response.json());
    assert.match(answer, /evil\.txt/);
    assert.equal((await fetch(`${server.address}/v1beta/projects/local/locations/us/apps/climber`)).status, 404);
  });

  it("answers an unknown path and an unknown method in the API's error form", async () => {
    const missing = await post("nothing/here", "{}");
    assert.deepEqual([missing.status, missing.error.status], [404, "NOT_FOUND"]);
    await stillServing();
  });
});
