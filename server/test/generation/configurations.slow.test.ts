// What one generation of each kind answers, and what it leaves alone.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";
import { emptyApp, generated } from "./generate.ts";
import { NOTHING } from "./recorded-apps.ts";
import { WritingModel } from "./writing-model.ts";

const DESK = "projects/local/locations/us/apps/order-desk";

let server: TestServer;
const model = new WritingModel();
const rest = restOf(() => server);
before(async () => {
  server = await startTestServer({ model, example: true });
});
after(() => server[Symbol.asyncDispose]());

/** An agent of the order desk by display name. */
async function agentOf(displayName: string) {
  const { agents } = await rest("GET", `${DESK}/agents`);
  return agents.find((agent: { displayName: string }) => agent.displayName === displayName);
}

const fileOf = (fileName: string, mimeType: string, text: string) => ({
  fileBytes: { fileName, mimeType, data: Buffer.from(text).toString("base64") },
});

describe("refining a part of a text", () => {
  it("replaces the range and leaves the rest, two parts at once", async () => {
    const agent = await agentOf("Returns");
    const { instruction } = agent;
    const [first, second] = ["You take returns for {shop_name}.", "a label, not a lecture"];
    const part = (text: string, instructions: string) => ({
      startIndex: instruction.indexOf(text),
      endIndex: instruction.indexOf(text) + text.length - 1,
      fieldMask: "instruction",
      instructions,
    });
    model.answers = [
      {
        explanation: "Shorter.",
        parts: [
          { number: 2, text: "help" },
          { number: 1, text: "Returns of {shop_name}." },
        ],
      },
    ];
    const response = await generated(server, DESK, {
      agent,
      refineInstructions: [part(first, "Say it shorter."), part(second, "One word.")],
    });
    const expected = instruction.replace(first, "Returns of {shop_name}.").replace(second, "help");
    assert.equal(response.agent.instruction, expected);
    assert.match(response.generateResultInfo.explanation, /^Shorter\.[\s\S]*changes the agent 'Returns': instruction/);
    assert.equal((await agentOf("Returns")).instruction, instruction, "nothing is stored");
  });

  it("is repaired when it adds a fault, and faults that were there are not told", async () => {
    const agent = await agentOf("Returns");
    const at = agent.instruction.indexOf("{@TOOL: check_return_policy}");
    const answer = (text: string) => ({ explanation: "", parts: [{ number: 1, text }] });
    model.answers = [answer("{@TOOL: look_up_policy}"), answer("{@TOOL: check_return_policy} again")];
    const response = await generated(server, DESK, {
      appVersionContext: { agentResourceName: agent.name },
      refineInstructions: [
        { startIndex: at, endIndex: at + 27, fieldMask: "instruction", instructions: "Say it otherwise." },
      ],
    });
    assert.match(model.material, /'look_up_policy' is no tool of this app/);
    assert.match(response.agent.instruction, /\{@TOOL: check_return_policy\} again/);
    assert.doesNotMatch(response.generateResultInfo.explanation, /Still wrong/);
  });
});

describe("an agent alone", () => {
  const written =
    '<role>You help.</role>\n<persona>Kind.</persona>\n<taskflow>\n<subtask name="a">\n<step name="b"><trigger>Always.</trigger><action>Help.</action></step>\n</subtask>\n</taskflow>';

  it("without an instruction gets one from its description", async () => {
    model.answers = [{ explanation: "Written.", instruction: written }];
    const agent = { displayName: "Helper", description: "Helps with gifts." };
    const response = await generated(server, DESK, { agent });
    assert.equal(response.agent.instruction, written);
    assert.match(model.asked.at(-1)?.system ?? "", /from its description/);
  });

  it("with an instruction has it put in order", async () => {
    model.answers = [{ explanation: "", instruction: written }];
    const { tools: _tools, ...agent } = await agentOf("Returns");
    const response = await generated(server, DESK, { agent });
    assert.equal(response.agent.instruction, written);
    assert.match(model.asked.at(-1)?.system ?? "", /in order/);
  });
});

describe("tools from a description and files", () => {
  it("are Python functions that load, with what their docstrings say; a broken one is repaired", async () => {
    const code =
      'def gift_price(items: int) -> dict:\n    """Tells the price of wrapping gifts.\n\n    Args:\n        items: how many (REQUIRED)\n    """\n    return {"price": 2 * items}\n';
    model.answers = [
      { explanation: "", tools: [{ name: "gift_price", code: code.replace(":\n", "\n") }], remove: [] },
      { explanation: "A price.", tools: [{ name: "gift_price", code }], remove: [] },
    ];
    const response = await generated(server, DESK, {
      toolGenerationConfig: {
        context: "A tool that tells what gift wrapping costs.",
        fileContexts: [fileOf("prices.csv", "text/csv", "service,price\ngift wrapping,2\n")],
      },
    });
    const [tool, ...others] = response.tools.tools;
    assert.deepEqual([tool.pythonFunction.name, tool.pythonFunction.pythonCode, others], ["gift_price", code, []]);
    assert.match(model.material, /<document>\n"prices\.csv"\nservice: gift wrapping|gift wrapping/);
    assert.match(model.material, /SyntaxError|does not load|syntax/);
  });
});

describe("evaluations and personas", () => {
  it("are goldens that ran against the app, and scenarios", async () => {
    const turn = { user: "When are you open on Friday?", transfers: [], answer: "10 to 20", match: "contains" };
    const golden = {
      name: "Friday",
      description: "Opening hours.",
      turns: [{ ...turn, tool_calls: [{ tool: "get_shop_hours", args_json: '{"day":"saturday"}' }] }],
    };
    const right = {
      ...golden,
      turns: [{ ...turn, tool_calls: [{ tool: "get_shop_hours", args_json: '{"day":"Friday"}' }] }],
    };
    const scenario = {
      name: "Gift",
      task: "Buy a gift.",
      user_facts: [{ name: "budget", value: "20" }],
      rubrics: ["Is friendly."],
      max_turns: 5,
    };
    model.answers = [
      { explanation: "Two tests.", goldens: [golden], scenarios: [scenario], remove: [] },
      { explanation: "Corrected.", goldens: [right], scenarios: [], remove: [] },
    ];
    const { evaluations, generateResultInfo } = await generated(server, DESK, { evaluationGenerationConfig: {} });
    assert.match(model.material, /The golden 'Friday' fails\..*expected "saturday"|observed "Friday"/);
    const byName = new Map(evaluations.evaluations.map((one: { displayName: string }) => [one.displayName, one]));
    assert.deepEqual([...byName.keys()].sort(), ["Friday", "Gift"]);
    assert.match(generateResultInfo.explanation, /Goldens: 1 of 1 passed/);
    const { evaluations: stored } = await rest("GET", `${DESK}/evaluations`);
    assert.equal(stored.length, 2, "nothing is stored");
  });

  it("leave the evaluations of the app alone", async () => {
    const taken = {
      name: "A broken mug goes back",
      description: "",
      turns: [{ user: "hi", transfers: [], tool_calls: [], answer: "hello", match: "meaning" }],
    };
    const other = { ...taken, name: "Another" };
    model.answers = [
      { explanation: "", goldens: [taken], scenarios: [], remove: [] },
      { explanation: "", goldens: [other], scenarios: [], remove: [{ kind: "evaluation", name: taken.name }] },
      { explanation: "", goldens: [other], scenarios: [], remove: [] },
      { explanation: "", goldens: [other], scenarios: [], remove: [] },
      { explanation: "", goldens: [other], scenarios: [], remove: [] },
    ];
    const { evaluations } = await generated(server, DESK, { evaluationGenerationConfig: {} });
    assert.deepEqual(
      evaluations.evaluations.map((one: { displayName: string }) => one.displayName),
      ["Another"],
    );
  });

  it("are personas in the app of a snapshot, besides those that it has", async () => {
    const persona = { name: "In a hurry", description: "Has a train to catch.", personality: "Answers in two words." };
    model.answers = [{ explanation: "One.", personas: [persona, persona] }];
    const { appSnapshot, generateResultInfo } = await generated(server, DESK, {
      evaluationPersonasGenerationConfig: {},
    });
    const [{ name, displayName, personality }, ...others] = appSnapshot.app.evaluationPersonas;
    assert.deepEqual([displayName, personality, others], ["In a hurry", "Answers in two words.", []]);
    assert.match(name, /^projects\/local\/locations\/us\/apps\/order-desk\/evaluationPersonas\//);
    assert.match(generateResultInfo.explanation, /1 personas were left out/);
  });
});

describe("an app from documents", () => {
  it("is written from what the files say, and says what was left out of them", async () => {
    const app = await emptyApp(server, "from-documents");
    const agent = {
      name: "Desk",
      description: "Answers.",
      instruction:
        '<role>You answer.</role>\n<persona>Kind.</persona>\n<taskflow>\n<subtask name="a">\n<step name="b"><trigger>The customer says goodbye.</trigger><action>Call {@TOOL: end_session}.</action></step>\n</subtask>\n</taskflow>',
      tools: ["end_session"],
      child_agents: [],
      callbacks: [],
    };
    const global_instruction = "Today is {current_date}.";
    model.answers = [{ ...NOTHING, app: { ...NOTHING.app, global_instruction, root_agent: "Desk" }, agents: [agent] }];
    const long = `# Returns\n${"We take everything back. ".repeat(20_000)}`;
    const { appSnapshot, generateResultInfo } = await generated(server, app, {
      appGenerationConfig: {
        fileContexts: [
          fileOf("shop.html", "text/html", "<h1>Hours</h1><p>Ten to six.</p><script>alert(1)</script>"),
          fileOf("returns.md", "text/markdown", long),
        ],
      },
    });
    assert.ok(model.material.includes('<document>\n"shop.html"\n# Hours\nTen to six.\n</document>'));
    assert.match(generateResultInfo.explanation, /returns\.md: [\d,]+ of [\d,]+ characters were read/);
    assert.equal(appSnapshot.agents[0].name.startsWith(`${app}/agents/`), true);
    assert.equal(appSnapshot.app.rootAgent, appSnapshot.agents[0].name);
  });
});
