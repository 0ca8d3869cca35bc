import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ANONYMOUS } from "#base";
import { type LanguageModel, LLM_CAPABILITIES, type StreamPart } from "#models";
import { createQuotas } from "./create-quotas.ts";
import { chargedModels } from "./limit-turns.ts";

const model: LanguageModel = {
  label: "test/model",
  capabilities: LLM_CAPABILITIES,
  async *stream(): AsyncGenerator<StreamPart, void> {},
};
const models = { resolve: () => model };
const sender = { caller: ANONYMOUS, peer: { address: "192.0.2.7" } };

function chargedFor(...measures: readonly ("requests" | "tokens" | "money")[]) {
  const rules = measures.map((measure) => ({ measure, per: "caller" as const, limit: 5, everyMs: 1_000, burst: 5 }));
  const quotas = createQuotas({ rules }, { now: () => 0 });
  return chargedModels(sender, "projects/p/locations/us/apps/a", { quotas, models, prices: {} });
}

describe("the models of work that is charged to who asks for it", () => {
  it("are as they are where no rule counts tokens or money", () => {
    assert.equal(chargedFor(), models);
    assert.equal(chargedFor("requests"), models);
  });

  it("are counted where one does", () => {
    assert.notEqual(chargedFor("tokens").resolve(""), model);
    assert.notEqual(chargedFor("money").resolve(""), model);
  });
});
