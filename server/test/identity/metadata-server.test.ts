import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, it } from "node:test";
import { type AuthServer, startAuthServer } from "./auth-server.ts";

const TOKEN = "/computeMetadata/v1/instance/service-accounts/default/token";
const FLAVOR = { "metadata-flavor": "Google" };

let server: AuthServer;
before(async () => {
  server = await startAuthServer({ auth: { metadata: { port: 0, account: "vm", project: "local" } } });
});
after(() => server[Symbol.asyncDispose]());

/** Asks for a token with these headers; returns the status, and the token where there is one. */
async function ask(headers: Readonly<Record<string, string>>): Promise<readonly [number, boolean]> {
  const url = `http://${server.metadataAddress}${TOKEN}`;
  return new Promise((resolve, reject) => {
    request(url, { headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve([response.statusCode ?? 0, /access_token/.test(Buffer.concat(chunks).toString())]);
    })
      .on("error", reject)
      .end();
  });
}

it("the metadata server gives tokens to programs of this machine, by each name that they have for it (AUTH-7)", async () => {
  const { port } = new URL(`http://${server.metadataAddress}`);
  for (const host of [
    "metadata.google.internal",
    "metadata",
    "169.254.169.254",
    `localhost:${port}`,
    `127.0.0.1:${port}`,
  ])
    assert.deepEqual(await ask({ ...FLAVOR, host }), [200, true], host);
});

it("the metadata server gives none to a page, also when its name was made that of this machine (AUTH-28)", async () => {
  for (const host of [
    "evil.example",
    "evil.example:8180",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "x-metadata",
  ])
    assert.deepEqual(await ask({ ...FLAVOR, host }), [403, false], host);
  assert.deepEqual(await ask({ ...FLAVOR, origin: "http://localhost:3000" }), [403, false]);
  assert.deepEqual(await ask({ ...FLAVOR, "x-forwarded-for": "10.0.0.1" }), [403, false]);
  assert.deepEqual(await ask({}), [403, false]);
});
