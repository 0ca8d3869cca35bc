import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { LOCALHOST, rawExchange, readToEnd, startWireServer, type WireServerOptions } from "./wire-server.ts";

const run = promisify(execFile);
const APP = "/v1/projects/p/locations/us/apps/a";
const CERTIFICATE = fileURLToPath(new URL("./__fixtures__/localhost.crt", import.meta.url));

const options: WireServerOptions = {
  agents: {
    getApp: async ({ name }) => ({ name }),
    createAgent: async ({ agent }) => ({ displayName: agent?.displayName ?? "" }),
  },
};
const app = { name: "projects/p/locations/us/apps/a" };

async function curl(...args: readonly string[]): Promise<{ version: string; status: string; body: unknown }> {
  const { stdout } = await run("curl", [
    "--silent",
    "--max-time",
    "10",
    "--write-out",
    "\n%{http_version} %{http_code}",
    ...args,
  ]);
  const [body = "", last = ""] = stdout.split(/\n(?=[^\n]*$)/);
  const [version = "", status = ""] = last.split(" ");
  return { version, status, body: JSON.parse(body) };
}

const hasCurl = await run("curl", ["--version"]).then(
  ({ stdout }) => /HTTP2/.test(stdout),
  () => false,
);

describe("one port", { skip: hasCurl ? false : "curl with HTTP/2 is not installed" }, () => {
  it("serves REST over HTTP/1.1, over HTTP/2 with prior knowledge, and to clients that offer an upgrade to it", async () => {
    await using server = await startWireServer(options);
    const url = server.url + APP;
    assert.deepEqual(await curl("--http1.1", url), { version: "1.1", status: "200", body: app });
    assert.deepEqual(await curl("--http2-prior-knowledge", url), { version: "2", status: "200", body: app });
    assert.deepEqual(await curl("--http2", url), { version: "1.1", status: "200", body: app });
  });

  it("reads the body of a request that offers an upgrade, also when WebSockets are mounted", async () => {
    await using server = await startWireServer({
      ...options,
      handlers: { upgrade: (_, socket) => void socket.destroy() },
    });
    const answer = await curl(
      "--http2",
      "-H",
      "content-type: application/json",
      "-d",
      '{"displayName":"Helper"}',
      `${server.url}${APP}/agents`,
    );
    assert.deepEqual(answer, { version: "1.1", status: "200", body: { displayName: "Helper" } });
  });

  it("serves REST over TLS with HTTP/2 and HTTP/1.1, and plaintext beside it", async () => {
    await using server = await startWireServer({ ...options, tls: true });
    const secure = `https://localhost:${server.port}${APP}`;
    assert.deepEqual(await curl("--cacert", CERTIFICATE, secure), { version: "2", status: "200", body: app });
    assert.deepEqual(await curl("--cacert", CERTIFICATE, "--http1.1", secure), {
      version: "1.1",
      status: "200",
      body: app,
    });
    assert.deepEqual(await curl(server.url + APP), { version: "1.1", status: "200", body: app });
  });
});

describe("a connection", () => {
  it("may send its first bytes one by one, where P begins both POST and the preface of HTTP/2", async () => {
    await using server = await startWireServer(options);
    const socket = connect(server.port, "127.0.0.1");
    socket.setNoDelay(true);
    const answer = readToEnd(socket);
    for (const byte of `POST ${APP}/agents HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 21\r\n\r\n{"displayName":"Hel"}`) {
      socket.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.match(await answer, /^HTTP\/1\.1 200 OK[\s\S]*\{"displayName":"Hel"\}$/);
  });

  it("with TLS to a server without a certificate is closed", async () => {
    await using server = await startWireServer(options);
    assert.equal(await rawExchange(server.port, Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05])), "");
  });

  it("that sends nothing is closed after a while", async () => {
    await using server = await startWireServer({ limits: { headersTimeoutMs: 30 } });
    assert.equal(await readToEnd(connect(server.port, "127.0.0.1")), "");
  });

  it("whose headers do not arrive in time gets 408 and is closed", async () => {
    await using server = await startWireServer({ limits: { headersTimeoutMs: 50 } });
    assert.match(await rawExchange(server.port, `GET ${APP} HTTP/1.1\r\nHost: x\r\nX-Slow: `), /^HTTP\/1\.1 408 /);
  });

  it("whose headers are too long gets 431", async () => {
    await using server = await startWireServer({ limits: { maxHeaderBytes: 1_024 } });
    assert.match(
      await rawExchange(server.port, `GET ${APP} HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(2_000)}\r\n\r\n`),
      /^HTTP\/1\.1 431 /,
    );
  });

  it("has a limited number of HTTP/2 streams", async () => {
    await using server = await startWireServer({ limits: { maxConcurrentStreams: 3 } });
    const session = connectHttp2(server.url);
    const settings = await new Promise<{ maxConcurrentStreams?: number }>((resolve) =>
      session.once("remoteSettings", resolve),
    );
    assert.equal(settings.maxConcurrentStreams, 3);
    session.destroy();
  });

  it("over HTTP/2 without requests ends after a while, and one with a request does not", async () => {
    const gate = Promise.withResolvers<void>();
    await using server = await startWireServer({
      limits: { idleTimeoutMs: 40 },
      agents: {
        getApp: async () => {
          await gate.promise;
          return app;
        },
      },
    });
    const idle = connectHttp2(server.url);
    const busy = connectHttp2(server.url);
    const stream = busy.request({ ":path": APP });
    await new Promise((resolve) => idle.once("close", resolve));
    assert.equal(busy.closed, false);
    gate.resolve();
    const headers = await new Promise<{ ":status"?: number }>((resolve) => stream.once("response", resolve));
    assert.equal(headers[":status"], 200);
    busy.destroy();
  });
});

describe("shutdown", () => {
  const slow = () => {
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const agents: WireServerOptions["agents"] = {
      getApp: async () => {
        started.resolve();
        await gate.promise;
        return app;
      },
    };
    return { started: started.promise, finish: gate.resolve, agents };
  };

  it("finishes a response in flight with Connection: close, and accepts nothing new", async () => {
    const { started, finish, agents } = slow();
    const server = await startWireServer({ agents });
    const answer = fetch(server.url + APP);
    await started;
    const closed = server.close(10_000);
    await assert.rejects(fetch(server.url + APP));
    finish();
    const response = await answer;
    assert.deepEqual([response.headers.get("connection"), await response.json()], ["close", app]);
    await closed;
  });

  it("sends GOAWAY and lets HTTP/2 streams finish", async () => {
    const { started, finish, agents } = slow();
    const server = await startWireServer({ agents });
    const session = connectHttp2(server.url);
    const goaway = new Promise((resolve) => session.once("goaway", resolve));
    const stream = session.request({ ":path": APP });
    let body = "";
    stream.on("data", (chunk) => {
      body += chunk;
    });
    const ended = new Promise((resolve) => stream.once("end", resolve));
    await started;
    const closed = server.close(10_000);
    await goaway;
    finish();
    await Promise.all([ended, closed]);
    assert.deepEqual(JSON.parse(body), app);
  });

  it("does not wait for idle connections of any protocol", async () => {
    const server = await startWireServer({ ...options, tls: true });
    const silent = connect(server.port, "127.0.0.1");
    const keptAlive = connect(server.port, "127.0.0.1");
    keptAlive.write(`GET ${APP} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const session = connectHttp2(`https://localhost:${server.port}`, { ca: LOCALHOST.cert });
    await Promise.all([
      once(silent, "connect"),
      once(keptAlive, "data"),
      new Promise((resolve) => session.once("remoteSettings", resolve)),
    ]);
    const gone = Promise.all(
      [silent, keptAlive, session].map((end) => new Promise<void>((resolve) => end.once("close", resolve))),
    );
    silent.resume();
    keptAlive.resume();
    await server.close(10_000);
    await gone;
  });

  it("aborts what is not done after the grace period, and the handlers with it", async () => {
    const seen = Promise.withResolvers<AbortSignal>();
    const server = await startWireServer({
      agents: {
        getApp: (_, { signal }) => {
          seen.resolve(signal);
          return new Promise<never>(() => {});
        },
      },
    });
    const answer = fetch(server.url + APP);
    answer.catch(() => {}); // Looked at below.
    const signal = await seen.promise;
    await server.close(20);
    await assert.rejects(answer);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });
});

const call = (url: string, origin: string, init: RequestInit = {}) =>
  fetch(url + APP, { ...init, headers: { origin, ...(init.headers as object) } });

describe("pages of other sites", () => {
  it("may not call the server; pages of the server may", async () => {
    await using server = await startWireServer(options);
    for (const origin of ["https://elsewhere.example", "null"]) {
      const refused = await call(server.url, origin);
      assert.deepEqual(
        [refused.status, ((await refused.json()) as { error: { status: string } }).error.status],
        [403, "PERMISSION_DENIED"],
      );
    }
    assert.equal((await call(server.url, server.url)).status, 200);
  });

  it("may not call it by a host name of theirs that resolves to this machine", async () => {
    const rebound = (host: string) => `GET ${APP} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    await using server = await startWireServer({ ...options, allowedOrigins: ["https://desk.example"] });
    const statusFor = async (host: string) => (await rawExchange(server.port, rebound(host))).slice(9, 12);
    assert.equal(await statusFor(`elsewhere.example:${server.port}`), "403");
    assert.equal(await statusFor("127.0.0.1.elsewhere.example"), "403");
    for (const host of ["localhost:80", "127.0.0.1", "[::1]:8080", "frontdesk", "app.localhost", "desk.example"]) {
      assert.equal(await statusFor(host), "200", host);
    }
  });

  it("may call it when the operator allows their origin", async () => {
    const origin = "https://widget.example";
    await using server = await startWireServer({ ...options, allowedOrigins: [origin] });
    const answer = await call(server.url, origin);
    assert.deepEqual([answer.status, answer.headers.get("access-control-allow-origin")], [200, origin]);
    const preflight = await call(server.url, origin, {
      method: "OPTIONS",
      headers: { "access-control-request-method": "POST" },
    });
    assert.deepEqual(
      [preflight.status, preflight.headers.get("access-control-allow-methods")],
      [204, "GET, POST, PATCH, PUT, DELETE"],
    );
  });

  it("may then use sessions of MCP, request traces and charts, and read the status of a call", async () => {
    const origin = "https://tools.example";
    await using server = await startWireServer({ ...options, allowedOrigins: [origin] });
    const preflight = await call(server.url, origin, {
      method: "OPTIONS",
      headers: { "access-control-request-method": "POST" },
    });
    const answer = await call(server.url, origin);
    const named = ({ headers }: Response, header: string) => (headers.get(header) ?? "").split(", ");
    const generated = ["x-goog-user-project", "x-goog-api-client", "x-goog-request-params", "custom-header-1"];
    for (const sent of ["authorization", "mcp-session-id", "x-frontdesk-chart", "x-frontdesk-trace", ...generated])
      assert.ok(named(preflight, "access-control-allow-headers").includes(sent), sent);
    for (const read of ["grpc-status", "mcp-session-id"])
      assert.ok(named(answer, "access-control-expose-headers").includes(read), read);
  });
});

describe("CORS (WIRE-16)", () => {
  const origin = "https://tools.example";
  /** Headers of a preflight that asks for a header that no client of the API sends. */
  const preflight = async (url: string) => {
    const headers = {
      "access-control-request-method": "POST",
      "access-control-request-headers": "x-goog-user-project,x-mine",
    };
    return (await call(url, origin, { method: "OPTIONS", headers })).headers;
  };

  it("allows pages that the operator names credentials and any header", async () => {
    await using server = await startWireServer({ ...options, allowedOrigins: [origin] });
    const headers = await preflight(server.url);
    assert.match(headers.get("access-control-allow-headers") ?? "", /, x-goog-user-project,x-mine$/);
    for (const answer of [headers, (await call(server.url, origin)).headers]) {
      assert.deepEqual(
        [answer.get("access-control-allow-origin"), answer.get("access-control-allow-credentials")],
        [origin, "true"],
      );
    }
  });

  it("allows no credentials where the operator allows every page", async () => {
    await using server = await startWireServer({ ...options, allowedOrigins: ["*"] });
    const headers = await preflight(server.url);
    assert.deepEqual(
      [headers.get("access-control-allow-origin"), headers.get("access-control-allow-credentials")],
      [origin, null],
    );
  });

  it("tells caches that every answer depends on the origin", async () => {
    await using server = await startWireServer({ ...options, allowedOrigins: [origin] });
    const answers = await Promise.all([
      preflight(server.url),
      call(server.url, origin).then(({ headers }) => headers),
      call(server.url, "https://elsewhere.example").then(({ headers }) => headers),
      fetch(server.url + APP).then(({ headers }) => headers),
      fetch(`${server.url}/no/such/path`).then(({ headers }) => headers),
      fetch(`${server.url}/mcp`).then(({ headers }) => headers),
      fetch(`${server.url}/google.cloud.ces.v1.AgentService/GetApp`, { method: "POST" }).then(({ headers }) => headers),
    ]);
    for (const headers of answers) assert.match(headers.get("vary") ?? "", /^Origin(, Accept-Encoding)?$/);
  });
});

describe("a fault in serving one request", () => {
  it("does not affect others", async () => {
    await using server = await startWireServer({
      ...options,
      handlers: {
        console: (request) => {
          if (request.url === "/odd") throw new Error("not thought of");
          return false;
        },
      },
    });
    assert.equal((await fetch(`${server.url}/odd`)).status, 500);
    assert.equal((await fetch(server.url + APP)).status, 200);
    assert.equal(server.lines.filter(({ msg }) => msg === "a request could not be dispatched").length, 1);
  });
});

describe("what is mounted next to the API", () => {
  it("is found by its path: health, the console's pages, and REST for the rest", async () => {
    await using server = await startWireServer({
      ...options,
      handlers: {
        health: async (path) => ({ status: path === "/readyz" ? 503 : 200, body: `${path}\n` }),
        console: (request, response) => {
          if (request.url !== "/") return false;
          response.end("<html>");
          return true;
        },
      },
    });
    const text = async (path: string) => {
      const response = await fetch(server.url + path);
      return [response.status, await response.text()];
    };
    assert.deepEqual(await text("/healthz"), [200, "/healthz\n"]);
    assert.deepEqual(await text("/readyz?verbose=1"), [503, "/readyz\n"]);
    assert.deepEqual(await text("/"), [200, "<html>"]);
    assert.equal((await text("/nothing"))[0], 404);
  });

  it("gets WebSocket handshakes only when a handler is mounted", async () => {
    const handshake = `GET ${APP} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    await using mounted = await startWireServer({
      ...options,
      handlers: { upgrade: (_, socket) => void socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n") },
    });
    assert.match(await rawExchange(mounted.port, handshake), /^HTTP\/1\.1 101 /);
    await using bare = await startWireServer(options);
    assert.match(
      await rawExchange(bare.port, handshake.replace("Connection: Upgrade", "Connection: Upgrade, close")),
      /^HTTP\/1\.1 200 /,
    );
  });
});

function once(socket: Socket, event: string): Promise<unknown> {
  return new Promise((resolve) => socket.once(event, resolve));
}
