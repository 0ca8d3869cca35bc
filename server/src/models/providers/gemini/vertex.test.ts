import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { HELLO, modelsWith, partsOf } from "../../__fixtures__/call-model.ts";
import { fakeProvider, jsonDocument } from "../../__fixtures__/fake-provider.ts";
import { vertexBaseUrl } from "./gemini-access.ts";

/** A token service at the edge, as workload identity federation uses one; counts what it gave. */
async function fakeTokenService() {
  let given = 0;
  const server = createServer((_request, response) => {
    given += 1;
    response.setHeader("content-type", "application/json");
    const token = { access_token: `token-${given}`, token_type: "Bearer", expires_in: 3600 };
    response.end(JSON.stringify({ ...token, issued_token_type: "urn:ietf:params:oauth:token-type:access_token" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    given: () => given,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Points the Application Default Credentials at a file, until disposed. */
async function applicationDefaultCredentials(content: (folder: string) => object) {
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-adc-"));
  const before = process.env.GOOGLE_APPLICATION_CREDENTIALS;
  await writeFile(join(folder, "subject"), "subject-token");
  await writeFile(join(folder, "adc.json"), JSON.stringify(content(folder)));
  process.env.GOOGLE_APPLICATION_CREDENTIALS = join(folder, "adc.json");
  return {
    [Symbol.asyncDispose]: async () => {
      if (before === undefined) delete process.env.GOOGLE_APPLICATION_CREDENTIALS;
      else process.env.GOOGLE_APPLICATION_CREDENTIALS = before;
      await rm(folder, { recursive: true });
    },
  };
}

const vertex = (baseUrl: string) => ({
  kind: "gemini" as const,
  name: "google",
  keySource: "application default credentials",
  headers: {},
  baseUrl,
  access: { kind: "vertex" as const, project: "my-project", location: "europe-west4" },
});

describe("Gemini on Vertex AI", () => {
  it("calls the project's location with a token of the Application Default Credentials, requested once", async () => {
    await using tokens = await fakeTokenService();
    await using _credentials = await applicationDefaultCredentials((folder) => ({
      type: "external_account",
      audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      token_url: tokens.url,
      credential_source: { file: join(folder, "subject") },
    }));
    const reply = jsonDocument(import.meta.dirname, "whole.json");
    await using provider = await fakeProvider(reply, reply);
    await using models = modelsWith(vertex(provider.url));
    const call = { kind: "function-call" as const, id: "fc_1", name: "find", args: {} };
    const response = { kind: "function-response" as const, id: "fc_1", name: "find", response: {} };
    const messages = [
      ...HELLO.messages,
      { role: "model" as const, parts: [call] },
      { role: "user" as const, parts: [response] },
    ];
    await partsOf(models.resolve("gemini-2.5-flash"), { ...HELLO, messages }, { streaming: false });
    await partsOf(models.resolve("gemini-2.5-flash"), HELLO, { streaming: false });
    const [first, second] = provider.requests;
    assert.equal(
      first?.path,
      "/v1beta1/projects/my-project/locations/europe-west4/publishers/google/models/gemini-2.5-flash:generateContent",
    );
    assert.deepEqual(
      [first?.headers.authorization, second?.headers.authorization],
      ["Bearer token-1", "Bearer token-1"],
    );
    assert.equal(tokens.given(), 1);
    // Vertex AI rejects ids in calls and responses.
    assert.deepEqual(first?.body.contents, [
      { role: "user", parts: [{ text: "Hello" }] },
      { role: "model", parts: [{ functionCall: { name: "find", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { name: "find", response: {} } }] },
    ]);
  });

  it("returns FAILED_PRECONDITION with the fix when the credentials are unusable", async () => {
    await using _credentials = await applicationDefaultCredentials(() => ({ type: "nonsense" }));
    await using provider = await fakeProvider();
    await using models = modelsWith(vertex(provider.url));
    await assert.rejects(partsOf(models.resolve("gemini-2.5-flash")), {
      code: 9,
      rawMessage: /^Vertex AI cannot be called\. .* gives no token: .*GOOGLE_APPLICATION_CREDENTIALS\.$/,
    });
    assert.deepEqual(provider.requests, []);
  });
});

describe("vertexBaseUrl", () => {
  it("knows the global service, the multi-regions and the regions", () => {
    assert.deepEqual(["global", "eu", "us-central1"].map(vertexBaseUrl), [
      "https://aiplatform.googleapis.com",
      "https://aiplatform.eu.rep.googleapis.com",
      "https://us-central1-aiplatform.googleapis.com",
    ]);
  });
});
