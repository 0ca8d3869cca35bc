import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ApiAuthenticationSchema } from "@frontdesk/protos/ces/auth";
import { TlsConfigSchema } from "@frontdesk/protos/ces/common";
import {
  EndpointControlPolicy_EnforcementScope as Scope,
  SecuritySettingsSchema,
} from "@frontdesk/protos/ces/security_settings";
import type { OutboundRoute } from "#outbound";
import { startEchoServer } from "./echo-server.ts";
import { answer, toolAt } from "./outbound-tool.ts";
import { APP, contextOf, documentOf, openApiTool, openToolBench, type ToolBenchOptions } from "./tool-bench.ts";

describe("where a tool may reach", () => {
  const errorWith = async (options: ToolBenchOptions, url: string, settings?: object) => {
    await using bench = openToolBench(options);
    return (await answer(bench, toolAt(url), {}, settings && { settings })).error;
  };
  const policy = (enforcementScope: Scope, allowedOrigins: string[]) => async () =>
    create(SecuritySettingsSchema, {
      name: "projects/shop/locations/us/securitySettings",
      endpointControlPolicy: { enforcementScope, allowedOrigins },
    });

  it("is public addresses, also after a redirect", async () => {
    assert.match(String(await errorWith({ allow: [] }, "http://127.0.0.1:9")), /127\.0\.0\.1 is a loopback address/);
    for (const location of ["http://169.254.169.254/latest", "http://10.0.0.1/"]) {
      await using server = await startEchoServer((_request, response) => response.writeHead(302, { location }).end());
      assert.match(String(await errorWith({}, server.url)), /'(169\.254\.169\.254|10\.0\.0\.1)' are refused/);
    }
  });

  it("is limited by the location's policy, always or in a perimeter", async () => {
    await using server = await startEchoServer();
    const refused = `Calling 'one' failed: Requests to '${server.url}' are refused: the endpoint control policy of projects/shop/locations/us/securitySettings does not list it.`;
    const other = ["https://shop.example"];
    assert.equal(await errorWith({ securitySettings: policy(Scope.ALWAYS, other) }, server.url), refused);
    assert.equal(
      await errorWith({ securitySettings: policy(Scope.ALWAYS, ["http://127.0.0.1"]) }, server.url),
      undefined,
    );
    assert.equal(
      await errorWith({ securitySettings: policy(Scope.ALWAYS, [`http://127.0.0.1:1`]) }, server.url),
      refused,
    );
    assert.equal(await errorWith({ securitySettings: policy(Scope.VPCSC_ONLY, other) }, server.url), undefined);
    assert.equal(
      await errorWith({ securitySettings: policy(Scope.VPCSC_ONLY, other), config: { perimeter: true } }, server.url),
      refused,
    );
  });

  it("is limited by the app's own list in a perimeter", async () => {
    await using server = await startEchoServer();
    const settings = { vpcScSettings: { allowedOrigins: ["https://shop.example"] } };
    assert.equal(await errorWith({}, server.url, settings), undefined);
    assert.match(
      String(await errorWith({ config: { perimeter: true } }, server.url, settings)),
      /vpc_sc_settings of the app does not list it/,
    );
    const own = { vpcScSettings: { allowedOrigins: [server.url] } };
    assert.equal(await errorWith({ config: { perimeter: true } }, server.url, own), undefined);
  });

  it("is the operator's address of a Service Directory service", async () => {
    await using server = await startEchoServer();
    const service = "projects/p/locations/us/namespaces/n/services/s";
    const route = { serviceDirectoryConfig: { service } };
    await using bench = openToolBench({
      allow: [],
      config: { serviceDirectory: { [service]: `127.0.0.1:${server.port}` } },
    });
    assert.deepEqual(await answer(bench, toolAt("http://inside.example", undefined, route)), { ok: true });
    assert.equal(server.last().headers.host, "inside.example");
    await using without = openToolBench();
    assert.match(
      String((await answer(without, toolAt("http://inside.example", undefined, route))).error),
      /services\/s' is not known to this server/,
    );
  });
});

describe("requests of an app's own code", () => {
  it("are limited by the location's policy, too", async () => {
    const settings = { name: "projects/shop/locations/us/securitySettings" };
    const policy = { enforcementScope: Scope.ALWAYS, allowedOrigins: ["https://shop.example"] };
    const securitySettings = async () => create(SecuritySettingsSchema, { ...settings, endpointControlPolicy: policy });
    await using bench = openToolBench({ securitySettings });
    const ask = bench.tools.hostCalls(contextOf(), () => {});
    const request = { op: "http", method: "GET", url: "http://127.0.0.1:9/", headers: {} } as const;
    await assert.rejects(
      async () => ask(request, new AbortController().signal),
      /endpoint control policy of projects\/shop/,
    );
  });
});

describe("a protocol library", () => {
  const route: OutboundRoute = {
    apiAuthentication: create(ApiAuthenticationSchema, {
      authConfig: { case: "bearerTokenConfig", value: { token: "$context.variables.token" } },
    }),
  };
  const context = () => ({ app: APP, variables: { token: "t0" }, signal: new AbortController().signal });

  it("gets a web fetch: authenticated, with streamed bodies, aborted by its signal", async () => {
    const gone = Promise.withResolvers<void>();
    await using server = await startEchoServer((_request, response, { body }) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${body}\n\n`);
      response.once("close", gone.resolve);
    });
    await using bench = openToolBench();
    const fetch = bench.outbound.webFetch(route, context(), { timeoutMs: 5_000 });
    const answer = await fetch(`${server.url}/mcp`, { method: "POST", body: "hello" });
    assert.deepEqual(
      [answer.status, answer.headers.get("content-type"), server.last().headers.authorization],
      [200, "text/event-stream", "Bearer t0"],
    );
    assert.ok(answer.body);
    for await (const chunk of answer.body) {
      assert.equal(Buffer.from(chunk).toString(), "data: hello\n\n");
      break;
    }
    await gone.promise;
  });

  it("gets an error when a response is too large or does not begin", async () => {
    await using server = await startEchoServer((_request, response, { url }) => {
      if (url === "/large") response.end("x".repeat(2_000));
    });
    await using bench = openToolBench();
    const fetchWithin = (timeoutMs: number) =>
      bench.outbound.webFetch(route, context(), { timeoutMs, maxBytes: 1_000 });
    const large = await fetchWithin(10_000)(`${server.url}/large`);
    await assert.rejects(large.text(), /larger than 1000 bytes/);
    await assert.rejects(fetchWithin(100)(`${server.url}/silent`), { kind: "timeout" });
  });
});

describe("a server that behaves badly", () => {
  const failing = async (listener: Parameters<typeof startEchoServer>[0], more: object = {}) => {
    await using server = await startEchoServer(listener);
    await using bench = openToolBench();
    const document = documentOf(server.url, { "/x": { post: { operationId: "x", responses: {} } } });
    const outcome = await bench.run(openApiTool(document, {}, more), {});
    return { error: String(outcome.response.error).replace(server.url, "URL"), requests: server.requests.length };
  };
  const short = { timeout: { seconds: 0n, nanos: 200_000_000 } };

  it("is cut off when its response has no end", async () => {
    const chunk = Buffer.alloc(1 << 20);
    const { error } = await failing((_request, response) => {
      response.setHeader("content-type", "application/json");
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    assert.equal(
      error,
      "Calling 'x' failed: The response of URL is larger than 10485760 bytes.".replace("'x'", "'one'"),
    );
  });

  it("times out when it is silent or slow", async () => {
    const late = "Calling 'one' failed: POST URL/x took longer than 200 ms.";
    assert.equal((await failing(() => {}, short)).error, late);
    const { error } = await failing((_request, response) => {
      const timer = setInterval(() => response.write(" "), 20);
      response.once("close", () => clearInterval(timer));
    }, short);
    assert.equal(error, late);
  });

  it("is retried after a transient error where that is safe", async () => {
    let count = 0;
    await using server = await startEchoServer((_request, response) =>
      response.writeHead(++count === 1 ? 503 : 200, { "retry-after": "0" }).end("{}"),
    );
    await using bench = openToolBench();
    assert.deepEqual([await answer(bench, toolAt(server.url)), count], [{}, 2]);
    const { requests } = await failing((_request, response) => response.writeHead(503, { "retry-after": "0" }).end());
    assert.equal(requests, 1);
  });
});

describe("TLS of a tool", () => {
  const read = (name: string) => readFileSync(join(import.meta.dirname, "..", "wire", "__fixtures__", name), "utf8");
  const cert = read("localhost.crt");
  const key = read("localhost.key");
  const der = new Uint8Array(Buffer.from(cert.replaceAll(/-----[^-]+-----|\s/g, ""), "base64"));
  const service = "projects/p/locations/us/namespaces/n/services/s";

  async function callOver(
    host: string,
    options: { readonly trusted?: boolean; readonly client?: boolean; readonly requestCert?: boolean },
  ) {
    const server = createServer(
      { cert, key, requestCert: options.requestCert ?? false, ca: cert },
      (_request, response) => response.setHeader("content-type", "application/json").end('{"ok":true}'),
    ).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const privateKey = "projects/shop/secrets/tls/versions/1";
      await using bench = openToolBench({
        secrets: { [privateKey]: key },
        config: { serviceDirectory: { [service]: `127.0.0.1:${port}` } },
      });
      const tlsConfig = create(TlsConfigSchema, { caCerts: [{ displayName: "own", cert: der }] });
      const tool = toolAt(`https://${host}:${port}`, undefined, {
        ...(options.trusted !== false && { tlsConfig }),
        ...(host !== "localhost" && { serviceDirectoryConfig: { service } }),
      });
      const settings = { clientCertificateSettings: { tlsCertificate: cert, privateKey, passphrase: "" } };
      const response = await answer(bench, tool, {}, options.client ? { settings } : {});
      return response.error ?? response;
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it("trusts the CA certificates of the definition instead of the public ones", async () => {
    assert.deepEqual(await callOver("localhost", {}), { ok: true });
    assert.match(
      String(await callOver("localhost", { trusted: false })),
      /the certificate is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT/,
    );
  });

  it("reports a certificate for another name", async () => {
    assert.match(String(await callOver("shop.example", {})), /the certificate is for another name/);
  });

  it("presents the app's client certificate", async () => {
    assert.deepEqual(await callOver("localhost", { requestCert: true, client: true }), { ok: true });
    assert.match(
      String(await callOver("localhost", { requestCert: true })),
      /^Calling 'one' failed: GET https:\/\/localhost:\d+\/x failed/,
    );
  });
});
