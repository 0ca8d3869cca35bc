import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { createLogger, systemClock } from "#base";
import { createEmbeddings, embeddingViolations } from "./create-embeddings.ts";
import { NO_MODELS, type ProviderConfig } from "./models-config.ts";

/** A provider at the edge; `answers` are given in turn, a number being a failure of that status. */
async function provider(t: TestContext, ...answers: readonly (object | number)[]) {
  const requests: { path: string; headers: Record<string, unknown>; body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    requests.push({ path: request.url ?? "", headers: request.headers, body });
    const answer = answers[requests.length - 1] ?? 500;
    const failed = typeof answer === "number";
    response.writeHead(failed ? answer : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(failed ? { error: { message: "no sk-secret" } } : answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

function embeddings(t: TestContext, name: string, config: ProviderConfig) {
  const retries = { attempts: 2, baseDelayMs: 1, maxDelayMs: 5 };
  const model = createEmbeddings(
    name,
    { ...NO_MODELS, providers: [config], retries },
    { clock: systemClock, logger: createLogger("silent") },
  );
  t.after(() => model.close());
  return model;
}

const openai = (baseUrl: string): ProviderConfig => ({
  kind: "openai",
  name: "local",
  keySource: "",
  headers: {},
  baseUrl,
  apiKey: "sk-secret",
});
const signal = new AbortController().signal;

describe("an embedding model", () => {
  it("of an OpenAI provider calls /embeddings and returns the order of the texts", async (t) => {
    const data = [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [1, 0] },
    ];
    const { requests, baseUrl } = await provider(t, 503, { data });
    const model = embeddings(t, "local/embed-small", openai(baseUrl));
    const vectors = await model.embed(["a", "b"], { purpose: "query", signal });
    assert.deepEqual(
      vectors.map((each) => [...each]),
      [
        [1, 0],
        [0, 1],
      ],
    );
    assert.deepEqual(
      [model.label, requests[1]?.path, requests[1]?.headers.authorization, requests[1]?.body],
      [
        "local/embed-small",
        "/v1/embeddings",
        "Bearer sk-secret",
        { model: "embed-small", input: ["a", "b"], encoding_format: "float" },
      ],
    );
  });

  it("of a Gemini provider sends the purpose of the texts", async (t) => {
    const { requests, baseUrl } = await provider(t, { embeddings: [{ values: [0.5, 0.5] }] });
    const config: ProviderConfig = {
      kind: "gemini",
      name: "google",
      keySource: "",
      headers: {},
      baseUrl: baseUrl.replace("/v1", ""),
      access: { kind: "api-key", apiKey: "key" },
    };
    const model = embeddings(t, "google/gemini-embedding-001", config);
    const [vector = []] = await model.embed(["a"], { purpose: "document", signal });
    assert.deepEqual([...vector], [0.5, 0.5]);
    assert.deepEqual(
      [requests[0]?.path, requests[0]?.headers["x-goog-api-key"], requests[0]?.body],
      [
        "/v1beta/models/gemini-embedding-001:batchEmbedContents",
        "key",
        {
          requests: [
            {
              model: "models/gemini-embedding-001",
              content: { parts: [{ text: "a" }] },
              taskType: "RETRIEVAL_DOCUMENT",
            },
          ],
        },
      ],
    );
  });

  it("that fails reports the error without its key", async (t) => {
    const { baseUrl } = await provider(t, 401);
    const model = embeddings(t, "local/embed-small", openai(baseUrl));
    await assert.rejects(model.embed(["a"], { purpose: "query", signal }), (error: Error) => {
      assert.match(error.message, /Model 'local\/embed-small' answered with HTTP status 401: no/);
      assert.doesNotMatch(error.message, /sk-secret/);
      return true;
    });
  });

  it("that answers another number of vectors is a failure", async (t) => {
    const { baseUrl } = await provider(t, { data: [{ index: 0, embedding: [1] }] });
    const model = embeddings(t, "local/embed-small", openai(baseUrl));
    await assert.rejects(model.embed(["a", "b"], { purpose: "query", signal }), /1 vectors for 2 texts/);
  });

  it("needs a configured provider that has embeddings", () => {
    assert.deepEqual(
      embeddingViolations("other/model", "search.embeddings", { ...NO_MODELS, providers: [openai("http://x/v1")] }),
      [
        {
          field: "search.embeddings",
          description: "'other/model' is no provider/model of a gemini or openai provider; configured: local",
        },
      ],
    );
  });
});
