import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ScriptedModel, startTestServer } from "#testing";
import { restOf } from "../rest.ts";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/told-app`;

describe("what of an instruction cannot be read (TURN-53)", () => {
  it("is a validation error of its agent, and of the app for the global one", async () => {
    await using server = await startTestServer({ model: new ScriptedModel() });
    const call = restOf(() => server);
    const globalInstruction = "{% if vip %}Be fast.";
    await call("POST", `${PARENT}/apps?appId=told-app`, { displayName: "Told", globalInstruction });
    const app = await call("GET", APP);
    assert.deepEqual(app.validationErrors?.slice(-1), [
      "global_instruction: The blocks {% if %} … {% endif %} of an instruction do not fit together, or are more than 1,000, or 100 in one another; they are left in the text.",
    ]);
    const instruction = "{% if name|length > 2 %}Long.{% endif %}{% for item in items %}{{item}}{% endfor %}";
    const agent = await call("POST", `${APP}/agents?agentId=front-desk`, { displayName: "Front", instruction });
    assert.deepEqual(agent.validationErrors, [
      "instruction: The condition 'name|length > 2' of an instruction cannot be read; its block is always shown.",
      "instruction: The tag '{% for item in items %}' of an instruction is none of if, elif, else and endif; it is left in the text.",
      "instruction: The tag '{% endfor %}' of an instruction is none of if, elif, else and endif; it is left in the text.",
    ]);
    const readable = { instruction: "{% if vip and not blocked %}Be fast.{% else %}Be kind.{% endif %} 100%" };
    const mended = await call("PATCH", `${APP}/agents/front-desk?updateMask=instruction`, readable);
    assert.equal(mended.validationErrors, undefined);
  });
});
