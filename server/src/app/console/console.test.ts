import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { createConsoleHandler } from "./console.ts";

const folder = mkdtempSync(join(tmpdir(), "console-"));
const dist = join(folder, "dist");
mkdirSync(join(dist, "assets"), { recursive: true });
writeFileSync(join(folder, "secret.txt"), "secret");
writeFileSync(join(dist, "index.html"), "<page>");
writeFileSync(join(dist, ".hidden"), "secret");
writeFileSync(join(dist, "assets", "a.js"), "script");

const docs = join(folder, "docs");
mkdirSync(join(docs, "spec"), { recursive: true });
for (const page of ["index", "auth", "spec/turn", "404"]) writeFileSync(join(docs, `${page}.html`), `<doc ${page}>`);

const serve = createConsoleHandler(dist, docs);
const server = createServer((request, response) => {
  if (!serve(request, response)) response.writeHead(404).end("none");
});
before(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** The answer to a path exactly as written, which `fetch` would tidy up first. */
function get(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.on("data", (data) => {
      text += data;
    });
    socket.on("end", () => resolve(text));
    socket.on("error", reject);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  });
}

describe("the console's files", () => {
  it("are served by their path, and pages are index.html", async () => {
    assert.match(await get("/assets/a.js"), /^HTTP\/1\.1 200 [\s\S]*script$/);
    for (const path of ["/", "/console", "/console/apps/1"]) assert.match(await get(path), /<page>$/);
    assert.match(await get("/other"), /^HTTP\/1\.1 404 /);
  });

  it("have the documentation beside them, whose addresses have no ending", async () => {
    for (const [path, page] of [
      ["/docs", "index"],
      ["/docs/", "index"],
      ["/docs/auth", "auth"],
      ["/docs/auth.html", "auth"],
      ["/docs/spec/turn?a=b", "spec/turn"],
    ])
      assert.match(await get(path ?? ""), new RegExp(`^HTTP/1\\.1 200 [\\s\\S]*<doc ${page}>$`));
    assert.match(await get("/docs/missing"), /^HTTP\/1\.1 404 [\s\S]*<doc 404>$/);
    assert.doesNotMatch(await get("/docs/../secret.txt"), /secret$/);
    assert.doesNotMatch(await get("/docs/..%2fsecret.txt"), /secret$/);
  });

  it("say how the documentation is built where it is not", async () => {
    const bare = createConsoleHandler(dist, join(folder, "none"));
    const plain = createServer((request, response) => bare(request, response));
    await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
    const answer = await fetch(`http://127.0.0.1:${(plain.address() as AddressInfo).port}/docs/auth`);
    plain.close();
    assert.equal(answer.status, 404);
    assert.match(await answer.text(), /npm run docs:build/);
  });

  it("are compressed for clients that accept it, with the same content", async () => {
    const script = "const a = 1;\n".repeat(500);
    writeFileSync(join(dist, "assets", "long.js"), script);
    const { port } = server.address() as AddressInfo;
    for (const [accepted, encoding] of [
      ["br, gzip", "br"],
      ["gzip", "gzip"],
      ["br;q=0", null],
      ["identity", null],
    ] as const) {
      const answer = await fetch(`http://127.0.0.1:${port}/assets/long.js`, {
        headers: { "accept-encoding": accepted },
      });
      assert.equal(answer.headers.get("content-encoding"), encoding, accepted);
      assert.equal(await answer.text(), script, accepted);
    }
  });

  it("are read from their compressed form where that is all there is", async () => {
    const page = "<doc compressed>\n".repeat(200);
    writeFileSync(join(docs, "compressed.html.br"), brotliCompressSync(page));
    const { port } = server.address() as AddressInfo;
    for (const [accepted, encoding] of [
      ["br", "br"],
      ["gzip", "gzip"],
      ["identity", null],
    ] as const) {
      const answer = await fetch(`http://127.0.0.1:${port}/docs/compressed`, {
        headers: { "accept-encoding": accepted },
      });
      assert.equal(answer.status, 200, accepted);
      assert.match(answer.headers.get("content-type") ?? "", /^text\/html/, accepted);
      assert.equal(answer.headers.get("content-encoding"), encoding, accepted);
      assert.equal(await answer.text(), page, accepted);
    }
  });

  it("are limited to their folder, however a path is written", async () => {
    const paths = [
      "/../secret.txt",
      "/%2e%2e/secret.txt",
      "/assets/..%2f..%2fsecret.txt",
      "/assets/%2e%2e/%2e%2e/secret.txt",
    ];
    for (const path of [...paths, "/.hidden", "/%00", "/assets/a.js%00", "/%", "/..%5csecret.txt", "//etc/passwd"]) {
      const answer = await get(path);
      assert.match(answer, /^HTTP\/1\.1 404 /, path);
      assert.doesNotMatch(answer, /secret$/, path);
    }
  });

  it("have a policy against foreign content and frames", async () => {
    const answer = await get("/");
    assert.match(answer, /content-security-policy: default-src 'self';[^\r]*frame-ancestors 'none'/);
    assert.match(answer, /x-content-type-options: nosniff/);
  });
});

describe("a console that is not there", () => {
  const missing = join(folder, "missing");
  const bare = createConsoleHandler(missing, docs);
  const desk = createServer((request, response) => {
    if (!bare(request, response)) response.writeHead(404).end("none");
  });
  const state = (content: object) => {
    mkdirSync(missing, { recursive: true });
    writeFileSync(join(missing, ".build.json"), JSON.stringify(content));
  };
  const page = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${(desk.address() as AddressInfo).port}${path}`);
    return { answer, text: await answer.text() };
  };
  before(() => new Promise<void>((resolve) => desk.listen(0, "127.0.0.1", resolve)));
  after(() => desk.close());

  it("says so at the addresses of its pages, and names the command that builds it", async () => {
    for (const path of ["/", "/console/apps/1"]) {
      const { answer, text } = await page(path);
      assert.equal(answer.status, 503, path);
      assert.match(text, /not built here.*npm start/s, path);
      assert.doesNotMatch(text, /http-equiv="refresh"/, path);
    }
    assert.equal((await page("/assets/a.js")).answer.status, 404);
    assert.equal((await page("/docs/auth")).answer.status, 200);
  });

  it("has a page that loads itself again while the launcher builds it, and is the console then", async () => {
    state({ pid: process.pid });
    const { answer, text } = await page("/");
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get("retry-after"), "2");
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.match(answer.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
    assert.match(text, /http-equiv="refresh" content="2".*being built/s);
    assert.equal((await page("/.build.json")).answer.status, 404);
    writeFileSync(join(missing, "index.html"), "<page>");
    assert.equal((await page("/")).text, "<page>");
    rmSync(join(missing, "index.html"));
  });

  it("is not waited for when nobody builds it any more", async () => {
    const ended = spawnSync(process.execPath, ["--version"]).pid;
    state({ pid: ended });
    assert.match((await page("/")).text, /not built here/);
    state({ failed: true });
    const { text } = await page("/");
    assert.match(text, /could not be built.*terminal.*npm start/s);
    assert.doesNotMatch(text, /http-equiv="refresh"/);
  });
});
