import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { HELLO, modelsWith, partsOf } from "../__fixtures__/call-model.ts";
import { fakeProvider } from "../__fixtures__/fake-provider.ts";
import type { ProviderConfig } from "../models-config.ts";

/** A proxy that records each CONNECT target and rejects it. */
async function rejectingProxy() {
  const targets: string[] = [];
  const server = createServer((_request, response) => response.writeHead(500).end());
  server.on("connect", (request, socket) => {
    targets.push(request.url ?? "");
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const provider = (baseUrl: string): ProviderConfig => ({
  kind: "openai",
  name: "local",
  keySource: "none",
  headers: {},
  baseUrl,
  apiKey: "",
});

describe("The proxy for models", () => {
  it("is used for https addresses, and its error is reported", async () => {
    await using proxy = await rejectingProxy();
    await using models = modelsWith(provider("https://models.example/v1"), { proxy: { url: proxy.url, except: "" } });
    await assert.rejects(partsOf(models.resolve("m")), {
      code: 14,
      rawMessage: /^Model 'local\/m' could not be reached/,
    });
    assert.deepEqual([...new Set(proxy.targets)], ["models.example:443"]);
  });

  it("is not used for http addresses", async () => {
    await using proxy = await rejectingProxy();
    await using fake = await fakeProvider({ pieces: ["{}"] });
    await using models = modelsWith(provider(`${fake.url}/v1`), { proxy: { url: proxy.url, except: "" } });
    assert.equal((await partsOf(models.resolve("m"), HELLO, { streaming: false })).length, 1);
    assert.deepEqual(proxy.targets, []);
  });
});
