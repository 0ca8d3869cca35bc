import assert from "node:assert/strict";
import { it } from "node:test";
import { type ScriptedAnswer, ScriptedModel } from "#testing";
import { DATABASE_REFERENCE, inlineQuestion, LOCATION, startDataServer } from "./data-server.ts";

const QUERY: ScriptedAnswer = [
  { kind: "text-delta", text: "I would rather not write SQL." },
  { kind: "finish", reason: "stop", rawReason: "STOP", usage: { inputTokens: 150, outputTokens: 50 } },
];

it("charges the tokens of a question's model to who asks, who then waits", async () => {
  const model = new ScriptedModel();
  model.extend(...Array.from({ length: 10 }, () => QUERY));
  const rules = [{ measure: "tokens", per: "project", limit: 100, everyMs: 60_000, burst: 100 }] as const;
  await using server = await startDataServer({ model, config: { quotas: { rules, prices: {}, turnsAtOnce: 10 } } });
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${server.address}/v1beta/${path}`, init);
    return { status: response.status, text: await response.text(), retryAfter: response.headers.get("retry-after") };
  };
  const question = inlineQuestion("total amount by region");
  assert.equal((await post(`${LOCATION}:chat`, question)).status, 200);
  assert.ok(model.requests.length > 0);
  const refused = await post(`${LOCATION}:chat`, question);
  assert.equal(refused.status, 429, refused.text);
  assert.match(refused.text, /The quota of 100 tokens every 60 s for each project is used up by projects\//);
  assert.ok(Number(refused.retryAfter) > 0);
  const other = await post(`${LOCATION}:queryData`, {
    prompt: "total amount by region",
    context: { datasourceReferences: DATABASE_REFERENCE },
  });
  assert.equal(other.status, 429, other.text);
});
