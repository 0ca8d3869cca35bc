import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type LanguageModel, LLM_CAPABILITIES } from "#models";
import { startTestServer } from "#testing";
import { restOf } from "../rest.ts";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/large-app`;

const limited: LanguageModel = {
  label: "test/limited",
  capabilities: { ...LLM_CAPABILITIES, mostFunctions: 4 },
  // biome-ignore lint/correctness/useYield: it is never called
  async *stream() {
    throw new Error("no turn is run here");
  },
};

const DOCUMENT = JSON.stringify({
  openapi: "3.0.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "https://shop.example" }],
  paths: {
    "/a": { get: { operationId: "getA", responses: {} }, post: { operationId: "postA", responses: {} } },
    "/b": { get: { operationId: "getB", responses: {} } },
  },
});

describe("an agent that offers more functions than its model takes", () => {
  it("is a validation error of the app, tools of toolsets and the transfer included", async () => {
    await using server = await startTestServer({ model: limited });
    const call = restOf(() => server);
    await call("POST", `${PARENT}/apps?appId=large-app`, { displayName: "Large" });
    await call("POST", `${APP}/toolsets?toolsetId=shop-api`, {
      displayName: "shop",
      openApiToolset: { openApiSchema: DOCUMENT },
    });
    await call("POST", `${APP}/agents?agentId=clerk-one`, { displayName: "Clerk" });
    const toolset = `${APP}/toolsets/shop-api`;
    await call("POST", `${APP}/agents?agentId=front-desk`, {
      displayName: "Front",
      childAgents: [`${APP}/agents/clerk-one`],
      tools: [`${APP}/tools/end_session`],
      toolsets: [{ toolset }],
    });
    const errorsOf = async () =>
      (await call("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/front-desk` })).validationErrors;
    assert.deepEqual(await errorsOf(), [
      "Agent 'Front' offers 5 functions, and 'test/limited' takes 4, so its turns fail; give some of its tools to child agents, or hide those that are not needed in a before_model callback.",
    ]);
    await call("PATCH", `${APP}/agents/front-desk?updateMask=toolsets`, {
      toolsets: [{ toolset, toolIds: ["getA", "getB"] }],
    });
    assert.equal(await errorsOf(), undefined);
  });
});
