import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync } from "node:zlib";
import { readToEnd, startWireServer, type WireServerOptions } from "./wire-server.ts";

const RUN = "/v1/projects/p/locations/us/apps/a/sessions/s:runSession";

interface ErrorAnswer {
  readonly error: { readonly code: number; readonly message: string; readonly status: string };
}

/** A server that echoes its input, and takes bodies up to 64 kB. */
function echo(options: WireServerOptions = {}) {
  return startWireServer({
    requests: { maxBodyBytes: 64 * 1024 },
    sessions: {
      runSession: async ({ inputs }) => {
        const text = inputs.map(({ inputType }) => (inputType.case === "text" ? inputType.value : "")).join("");
        return { outputs: [{ outputType: { case: "text", value: text } }] };
      },
    },
    ...options,
  });
}

async function post(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url + RUN, { method: "POST", body, headers });
  return { status: response.status, body: await response.json() };
}

const hello = JSON.stringify({ inputs: [{ text: "héllo" }] });
const echoed = { status: 200, body: { outputs: [{ text: "héllo" }] } };

describe("REST request bodies", () => {
  it("may be compressed with gzip, deflate or brotli", async () => {
    await using server = await echo();
    const packed = {
      gzip: gzipSync(hello),
      deflate: deflateSync(hello),
      br: brotliCompressSync(hello),
      identity: Buffer.from(hello),
    };
    for (const [encoding, body] of Object.entries(packed)) {
      assert.deepEqual(
        await post(server.url, new Uint8Array(body), { "content-encoding": encoding }),
        echoed,
        encoding,
      );
    }
  });

  it("are rejected with 415 in another encoding, and with 400 when they cannot be decompressed", async () => {
    await using server = await echo();
    assert.equal((await post(server.url, hello, { "content-encoding": "zstd" })).status, 415);
    assert.equal((await post(server.url, hello, { "content-encoding": "constructor" })).status, 415);
    assert.deepEqual(await post(server.url, hello, { "content-encoding": "gzip" }), {
      status: 400,
      body: { error: { code: 400, message: "The request body is not valid gzip data.", status: "INVALID_ARGUMENT" } },
    });
  });

  it("are rejected with 413 when they decompress to more than the limit", async () => {
    await using server = await echo();
    const bomb = gzipSync(JSON.stringify({ inputs: [{ text: "0".repeat(1_000_000) }] }));
    assert.ok(bomb.length < 2_000);
    assert.deepEqual(await post(server.url, new Uint8Array(bomb), { "content-encoding": "gzip" }), {
      status: 413,
      body: {
        error: {
          code: 413,
          message: "Request payload size exceeds the limit: 65536 bytes.",
          status: "INVALID_ARGUMENT",
        },
      },
    });
  });

  it("are rejected with 413 by their Content-Length, before they are read", async () => {
    await using server = await echo();
    const socket = connect(server.port, "127.0.0.1");
    socket.write(`POST ${RUN} HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n`);
    const answer = await readToEnd(socket);
    assert.match(answer, /^HTTP\/1\.1 413 [\s\S]*Connection: close[\s\S]*"code":413/);
  });

  it("are rejected with 413 as soon as a body without Content-Length exceeds the limit", async () => {
    await using server = await echo();
    const answer = Promise.withResolvers<number | undefined>();
    const request = httpRequest(
      server.url + RUN,
      { method: "POST", headers: { "transfer-encoding": "chunked" } },
      (response) => {
        response.resume();
        answer.resolve(response.statusCode);
      },
    );
    request.on("error", () => {}); // The connection is cut while the rest is sent.
    request.write("0".repeat(40_000));
    request.write("0".repeat(40_000));
    assert.equal(await answer.promise, 413);
    request.destroy();
  });

  it("are rejected so that a client that continues to write still gets the response", async () => {
    await using server = await echo();
    const socket = connect(server.port, "127.0.0.1");
    const answer = readToEnd(socket);
    socket.write(`POST ${RUN} HTTP/1.1\r\nHost: x\r\nContent-Length: 104857600\r\n\r\n`);
    const pump = setInterval(() => socket.writable && socket.write(Buffer.alloc(64 * 1024, 97)), 1);
    assert.match(await answer, /^HTTP\/1\.1 413 [\s\S]*"code":413.*\}$/);
    clearInterval(pump);
  });

  it("that are small and rejected unread leave the connection open", async () => {
    await using server = await echo();
    const socket = connect(server.port, "127.0.0.1");
    const answers = readToEnd(socket);
    socket.write(`POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody`);
    socket.write(
      `POST ${RUN} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 30\r\n\r\n{"inputs": [{"text": "more"}]}`,
    );
    assert.match(await answers, /^HTTP\/1\.1 404 [\s\S]*HTTP\/1\.1 200 OK[\s\S]*"more"/);
  });

  it("are rejected with 413 over HTTP/2 by closing the stream, not the connection", async () => {
    await using server = await echo();
    const session = connectHttp2(server.url);
    const send = (body: string) =>
      new Promise<{ status: number | undefined; code: number | undefined }>((resolve) => {
        const stream = session.request({ ":method": "POST", ":path": RUN });
        let status: number | undefined;
        stream.on("response", (headers) => {
          status = headers[":status"];
        });
        stream.on("close", () => resolve({ status, code: stream.rstCode }));
        stream.on("error", () => {}); // Told by the code.
        stream.resume();
        stream.write(body);
        if (body === hello) stream.end();
      });
    assert.deepEqual(await send("0".repeat(70_000)), { status: 413, code: 0 });
    assert.deepEqual(await send(hello), { status: 200, code: 0 });
    session.destroy();
  });

  it("are rejected with 408 when they do not arrive in time", async () => {
    await using server = await echo({ requests: { bodyTimeoutMs: 20 } });
    const socket = connect(server.port, "127.0.0.1");
    socket.write(`POST ${RUN} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{`);
    assert.match(await readToEnd(socket), /^HTTP\/1\.1 408 /);
  });

  it("are rejected when they are not UTF-8", async () => {
    await using server = await echo();
    const { status, body } = await post(server.url, Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d));
    assert.deepEqual(
      [status, (body as ErrorAnswer).error.message],
      [400, "Invalid JSON payload received. The text is not valid UTF-8."],
    );
  });

  it("may begin with a byte order mark", async () => {
    await using server = await echo();
    assert.deepEqual(await post(server.url, `\ufeff${hello}`), echoed);
  });

  it("are rejected with line and column when they are not JSON", async () => {
    await using server = await echo();
    const { status, body } = await post(server.url, '{\n  "inputs": [,]\n}');
    assert.deepEqual(
      [status, (body as ErrorAnswer).error.message],
      [400, 'Invalid JSON payload received. Unexpected token ",]\\n}" at line 2, column 14.'],
    );
  });

  it("are rejected when they are JSON but not an object, or nested too deeply", async () => {
    await using server = await echo();
    assert.equal((await post(server.url, "[1]")).status, 400);
    const deep = `{"config":{"historicalContexts":[{"chunks":[{"payload":${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}]}]},"inputs":[{"text":"x"}]}`;
    assert.equal((await post(server.url, deep)).status, 400);
    const parameters = `${'{"properties":{"a":'.repeat(1_500)}{}${"}}".repeat(1_500)}`;
    const tool = { method: "POST", body: `{"clientFunction":{"name":"f","parameters":${parameters}}}` };
    assert.equal((await fetch(`${server.url}/v1/projects/p/locations/us/apps/a/tools`, tool)).status, 400);
  });

  it("cannot change a prototype", async () => {
    await using server = await echo();
    assert.deepEqual(
      await post(server.url, '{"__proto__":{"polluted":1},"inputs":[{"text":"héllo","__proto__":{}}]}'),
      echoed,
    );
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });

  it("that are cut off have no effect", async () => {
    await using server = await echo();
    const socket = connect(server.port, "127.0.0.1");
    socket.write(`POST ${RUN} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{`);
    await new Promise((resolve) => socket.once("ready", resolve));
    socket.resetAndDestroy();
    assert.deepEqual(await post(server.url, hello), echoed);
  });
});

describe("large REST responses", () => {
  const text = "x".repeat(20_000);
  const options: WireServerOptions = {
    sessions: { runSession: async () => ({ outputs: [{ outputType: { case: "text", value: text } }] }) },
  };

  const rawAnswer = async (
    port: number,
    acceptEncoding: string,
  ): Promise<{ encoding: string | undefined; body: Buffer }> => {
    const done = Promise.withResolvers<{ encoding: string | undefined; body: Buffer }>();
    const request = httpRequest(
      { port, path: RUN, method: "POST", headers: { "accept-encoding": acceptEncoding } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          done.resolve({ encoding: response.headers["content-encoding"], body: Buffer.concat(chunks) }),
        );
      },
    );
    request.end(hello);
    return done.promise;
  };

  it("are compressed for clients that accept gzip", async () => {
    await using server = await startWireServer(options);
    const { encoding, body } = await rawAnswer(server.port, "br, gzip");
    assert.equal(encoding, "gzip");
    assert.deepEqual(JSON.parse(gunzipSync(body).toString()), { outputs: [{ text }] });
  });

  it("are not compressed for other clients", async () => {
    await using server = await startWireServer(options);
    for (const accept of ["identity", "gzip;q=0"]) {
      const { encoding, body } = await rawAnswer(server.port, accept);
      assert.deepEqual([encoding, JSON.parse(body.toString())], [undefined, { outputs: [{ text }] }]);
    }
  });
});
