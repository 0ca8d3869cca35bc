// Apps from a description, written by recorded models over the real wire of each provider.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProviderType } from "../providers/mock-provider.ts";
import { emptyApp, generated } from "./generate.ts";
import { recordedProduct } from "./model-server.ts";
import { NOTHING, type WrittenApp, writtenApp } from "./recorded-apps.ts";

/** An app, the provider whose wire it comes over, and what is wrong with the first draft. */
const APPS: readonly {
  readonly template: string;
  readonly provider: ProviderType;
  readonly flawed: (app: WrittenApp) => WrittenApp;
}[] = [
  {
    template: "faq",
    provider: "gemini",
    flawed: (app) => ({ ...app, agents: app.agents.map((agent) => ({ ...agent, tools: ["find_answer"] })) }),
  },
  {
    template: "booking",
    provider: "openai",
    flawed: (app) => ({
      ...app,
      tools: app.tools.map((tool) => ({ ...tool, code: tool.code.replace("def book_time(", "def book_time(*") })),
    }),
  },
  {
    template: "returns",
    provider: "anthropic",
    flawed: (app) => ({
      ...app,
      agents: app.agents.map((agent) => ({
        ...agent,
        tools: agent.tools.map((tool) => tool.replace("start_", "begin_")),
      })),
    }),
  },
];

for (const { template, provider, flawed } of APPS) {
  describe(`the app '${template}', which a model behind ${provider} writes from a description`, () => {
    it("is repaired until validation, linter and goldens have nothing to say", async () => {
      await using product = await recordedProduct(provider);
      const app = await writtenApp(template);
      product.plays(app.goldens);
      product.answers.push(flawed(app), { ...NOTHING, explanation: "Mended.", agents: app.agents, tools: app.tools });
      const target = await emptyApp(product.server, `${template}-app`);
      const response = await generated(product.server, target, {
        appGenerationConfig: { context: app.app.description, generateEvaluations: true },
      });
      assert.equal(product.asked.length, 2, "the second draft mends the first");
      const { appSnapshot, evaluations } = response.appResources;
      assert.deepEqual(
        [appSnapshot.agents, appSnapshot.tools, evaluations].map((list) => list.length),
        [app.agents.length, app.tools.length, app.goldens.length],
      );
      const { explanation } = response.generateResultInfo;
      assert.match(explanation, /Validation and linter have nothing to say\. Goldens: 3 of 3 passed\./);
      assert.doesNotMatch(explanation, /Still wrong/);
      assert.deepEqual((await product.server.app.resources.tree.readTree(target)).agents, [], "nothing is stored");
    });
  });
}
