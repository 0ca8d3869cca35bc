import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { blockedReason } from "./address-policy.ts";
import type { EgressRequest } from "./contract.ts";
import { createEgress } from "./egress.ts";

const get = (url: string, more: Partial<EgressRequest> = {}): EgressRequest => ({
  method: "GET",
  url,
  headers: {},
  timeoutMs: 2_000,
  followRedirects: true,
  maxBytes: 1_000,
  ...more,
});

/** A server on loopback that is closed when the test ends; answers its port. */
async function serve(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

describe("blockedReason", () => {
  const closed = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "0.0.0.0",
    "100.64.0.1",
    "::1",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "224.0.0.1",
    "::7f00:1",
    "::808:808",
    "168.63.129.16",
  ];
  for (const address of closed) {
    it(`rejects ${address}`, () => assert.notEqual(blockedReason(address), undefined));
  }
  for (const address of ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::5db8:d822"]) {
    it(`allows ${address}`, () => assert.equal(blockedReason(address), undefined));
  }
});

describe("Egress", () => {
  it("rejects loopback and names the setting that allows it", async () => {
    const egress = createEgress({ allowedPrivateHosts: [] });
    await assert.rejects(
      egress.fetch(get("http://127.0.0.1:9/")),
      /'127.0.0.1' are refused: 127.0.0.1 is a loopback address.*add '127.0.0.1' to FRONTDESK_EGRESS_ALLOW/,
    );
  });

  it("rejects numeric spellings of loopback", async () => {
    const egress = createEgress({ allowedPrivateHosts: [] });
    for (const url of ["http://2130706433/", "http://0x7f.1/", "http://[::ffff:7f00:1]/", "http://127.1/"]) {
      await assert.rejects(egress.fetch(get(url)), /refused/, url);
    }
  });

  it("tells of a URL that its requests will be rejected, without looking its name up", () => {
    const resolve = () => assert.fail("looked up");
    const egress = createEgress({ allowedPrivateHosts: ["localhost:9", "10.0.0.1"] }, { resolve });
    for (const url of [
      "http://127.0.0.1:9/",
      "https://[::1]/",
      "http://localhost/",
      "http://x.localhost:9/",
      "ftp://a.example/",
    ])
      assert.match(egress.refusal(url) ?? "", /refused|not allowed/, url);
    for (const url of [
      "http://localhost:9/",
      "http://10.0.0.1/",
      "https://shop.example/",
      "https://localhost.example/",
    ])
      assert.equal(egress.refusal(url), undefined, url);
  });

  it("rejects a path with segments of dots, however they are written: what was checked is not where it leads (TOOL-58)", async () => {
    const egress = createEgress({ allowedPrivateHosts: ["127.0.0.1"] });
    const paths = ["a/../b", "a/..", "a/./b", "a/%2e%2E/b", "a/.%2e/b?c", "a\\..\\b", "a/.\t./b", "..#c"];
    for (const path of paths)
      await assert.rejects(egress.fetch(get(`http://127.0.0.1:9/${path}`)), /part '\.' or '\.\.'/, path);
    for (const path of ["a..b/...", "a?../b", "a#/../b", ".a/b."])
      assert.equal(egress.refusal(`http://127.0.0.1:9/${path}`), undefined, path);
  });

  it("rejects a name that resolves to a private address", async () => {
    const egress = createEgress(
      { allowedPrivateHosts: [] },
      { resolve: async () => [{ address: "10.0.0.8", family: 4 }] },
    );
    await assert.rejects(
      egress.fetch(get("http://intranet.example/")),
      /'intranet.example' are refused: 10.0.0.8 is a private address/,
    );
  });

  it("connects to the address it checked", async (t) => {
    const port = await serve(t, (request, response) => response.end(request.headers.host));
    const egress = createEgress(
      { allowedPrivateHosts: ["shop.example"] },
      { resolve: async () => [{ address: "127.0.0.1", family: 4 }] },
    );
    const { status, body } = await egress.fetch(get(`http://shop.example:${port}/`));
    assert.deepEqual([status, Buffer.from(body).toString()], [200, `shop.example:${port}`]);
  });

  it("allows a private host for the named port only", async (t) => {
    const port = await serve(t, (_, response) => response.end("in"));
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    const opened = createEgress({ allowedPrivateHosts: [`shop.example:${port}`] }, { resolve });
    assert.equal((await opened.fetch(get(`http://shop.example:${port}/`))).status, 200);
    const closed = createEgress({ allowedPrivateHosts: ["shop.example:1"] }, { resolve });
    await assert.rejects(closed.fetch(get(`http://shop.example:${port}/`)), /127.0.0.1 is a loopback address/);
  });

  it("opens a port of this server for its name and port only, whatever stands for this machine (WIRE-71)", async (t) => {
    const port = await serve(t, (_, response) => response.end("in"));
    const other = await serve(t, (_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end("other"),
    );
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    const hosts = ["127.0.0.1", "127.0.0.2", "0.0.0.0", "::1", "::", "::ffff:7f00:1", "shop.example", "localhost"];
    const ownPorts = new Set([port]);
    const egress = createEgress({ allowedPrivateHosts: hosts, ownPorts }, { resolve });
    for (const host of hosts.map((each) => (each.includes(":") ? `[${each}]` : each)))
      await assert.rejects(egress.fetch(get(`http://${host}:${port}/`)), /port is this server's own/, host);
    const tls = { ca: [] };
    await assert.rejects(egress.fetch(get(`http://shop.example:${port}/`, { tls })), /port is this server's own/);
    await assert.rejects(egress.fetch(get(`http://shop.example:${other}/`)), /port is this server's own/);
    assert.match(
      egress.refusal(`http://localhost:${port}/`) ?? "",
      /add 'localhost:\{port\}' to FRONTDESK_EGRESS_ALLOW/,
    );
    const [socketError] = await once(egress.connect("127.0.0.1", port), "error");
    assert.match(String(socketError), /port is this server's own/);
    assert.equal((await egress.fetch(get(`http://shop.example:${other}/`, { followRedirects: false }))).status, 302);
    const named = createEgress({ allowedPrivateHosts: [`127.0.0.1:${port}`], ownPorts });
    assert.equal((await named.fetch(get(`http://127.0.0.1:${port}/`))).status, 200);
    const far = createEgress({ allowedPrivateHosts: ["10.255.255.1"], ownPorts });
    assert.equal(far.refusal(`http://10.255.255.1:${port}/`), undefined);
  });

  it("checks the target of a redirect again", async (t) => {
    const port = await serve(t, (_, response) =>
      response.writeHead(302, { location: "http://169.254.169.254/latest" }).end(),
    );
    const egress = createEgress({ allowedPrivateHosts: ["127.0.0.1"] });
    await assert.rejects(egress.fetch(get(`http://127.0.0.1:${port}/`)), /'169.254.169.254' are refused/);
  });

  it("removes credentials when a redirect changes the origin", async (t) => {
    const second = await serve(t, (request, response) => response.end(String(request.headers.authorization)));
    const first = await serve(t, (_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${second}/` }).end(),
    );
    const egress = createEgress({ allowedPrivateHosts: ["127.0.0.1"] });
    const { body } = await egress.fetch(
      get(`http://127.0.0.1:${first}/`, { headers: { Authorization: "Bearer secret" } }),
    );
    assert.equal(Buffer.from(body).toString(), "undefined");
  });

  it("stops reading a response that is too large", async (t) => {
    const port = await serve(t, (_, response) => response.end("x".repeat(5_000)));
    const egress = createEgress({ allowedPrivateHosts: ["127.0.0.1"] });
    await assert.rejects(egress.fetch(get(`http://127.0.0.1:${port}/`)), /larger than 1000 bytes/);
  });

  it("fails after the time limit", async (t) => {
    const port = await serve(t, () => {});
    const egress = createEgress({ allowedPrivateHosts: ["127.0.0.1"] });
    await assert.rejects(egress.fetch(get(`http://127.0.0.1:${port}/`, { timeoutMs: 50 })), { kind: "timeout" });
  });

  it("rejects other schemes", async () => {
    await assert.rejects(
      createEgress({ allowedPrivateHosts: [] }).fetch(get("file:///etc/passwd")),
      /use http or https/,
    );
  });
});
