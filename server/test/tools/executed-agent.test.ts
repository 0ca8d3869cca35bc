import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";

const APP = "projects/local/locations/us/apps/ask-app";

const model = new ScriptedModel();
let server: TestServer;

const rest = restOf(() => server);

before(async () => {
  server = await startTestServer({ model });
  const mood = { name: "mood", schema: { type: "STRING", default: "calm" } };
  await rest("POST", "projects/local/locations/us/apps?appId=ask-app", {
    displayName: "A",
    variableDeclarations: [mood],
  });
  await rest("POST", `${APP}/agents?agentId=the-math`, { displayName: "Math", instruction: "Be {{mood}}." });
  await rest("POST", `${APP}/tools?toolId=ask-math`, {
    agentTool: { name: "ask_math", agent: `${APP}/agents/the-math` },
  });
});
after(() => server[Symbol.asyncDispose]());

describe("ExecuteTool of a Python tool", () => {
  it("tells the code where its app is, as a turn does, unless the context says otherwise", async () => {
    const code = `def place() -> dict:
  """Tells where it runs."""
  return {"place": [context.project_id, context.location, context.app_id, context.language_code]}
`;
    await rest("POST", `${APP}/tools?toolId=place`, { pythonFunction: { name: "place", pythonCode: code } });
    const execute = async (more: object) =>
      (await rest("POST", `${APP}:executeTool`, { tool: `${APP}/tools/place`, ...more })).response.result.place;
    assert.deepEqual(await execute({}), ["local", "us", "ask-app", ""]);
    assert.deepEqual(await execute({ context: { project_id: "mine", language_code: "de-AT" } }), [
      "mine",
      "us",
      "ask-app",
      "de-AT",
    ]);
  });
});

describe("ExecuteTool of an agent tool", () => {
  const execute = (more: object = {}) =>
    rest("POST", `${APP}:executeTool`, { tool: `${APP}/tools/ask-math`, args: { request: "2 + 2?" }, ...more });

  it("runs the agent in a conversation of its own, with the variables of the request", async () => {
    model.extend(say("It is 4."));
    const { response, variables } = await execute({ variables: { mood: "brief" } });
    assert.deepEqual([response, variables], [{ response: "It is 4." }, { mood: "brief" }]);
    assert.equal(model.requests[0]?.system, "Be brief.");
    const { conversations } = await rest("GET", `${APP}/conversations?sources=AGENT_TOOL`);
    assert.deepEqual(
      conversations.map(({ source, entryAgent }: Record<string, unknown>) => [source, entryAgent]),
      [["AGENT_TOOL", `${APP}/agents/the-math`]],
    );
  });

  it("reports that the agent's own tools are not mocked", async () => {
    const { response } = await execute({ mockConfig: { unmatchedToolCallBehavior: "FAIL" } });
    assert.deepEqual(response, {
      status: "error",
      error: "The tools of an agent cannot be mocked; execute the agent tool without mock_config.",
    });
    model.assertDone();
  });
});
