// Hill climbing: defects that were put into an app, and what becomes of them.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ImportAppRequestSchema } from "@frontdesk/protos/ces/agent_service";
import { packFolder } from "#resources";
import { startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";
import { generated } from "./generate.ts";
import { NOTHING, TEMPLATES, type WrittenApp, writtenApp } from "./recorded-apps.ts";
import { WritingModel } from "./writing-model.ts";

const PARENT = "projects/local/locations/us";
const REPORT = { generalIssues: [{ description: "Returns do not work.", occurrenceCount: 3 }] };

let server: TestServer;
let good: WrittenApp;
const model = new WritingModel();
const rest = restOf(() => server);
before(async () => {
  server = await startTestServer({ model });
  good = await writtenApp("returns");
});
after(() => server[Symbol.asyncDispose]());

/** A defect, and what the model answers. */
interface Defect {
  /** Display name of the agent or tool that has it. */
  readonly of: string;
  /** Changes its instruction or code. */
  readonly text?: (text: string) => string;
  /** Changes the agent besides. */
  readonly agent?: (agent: { tools: string[] }) => object;
  /** Default: the whole agent or tool as it should be. */
  readonly answers?: () => readonly WrittenApp[];
}

const REPAIRED: Readonly<Record<string, Defect>> = {
  "a wrong tool name": {
    of: "Returns",
    text: (text) => text.replace("{@TOOL: start_return}", "{@TOOL: begin_return}"),
  },
  "a missing argument": {
    of: "start_return",
    text: (code) =>
      code
        .replace(", reason: str", "")
        .replace('"reason": reason, ', "")
        .replace(/\n +reason: .*/, ""),
  },
  "a broken callback signature": {
    of: "Reception",
    agent: () => ({ beforeModelCallbacks: [{ pythonCode: "def before_model_callback(context):\n    return None\n" }] }),
  },
  "an unresolvable reference": {
    of: "Reception",
    text: (text) => text.replace("{@AGENT: Returns}", "{@AGENT: Refunds}"),
  },
  "a missing end_session": {
    of: "Reception",
    agent: ({ tools }) => ({ tools: tools.filter((name) => !name.endsWith("end_session")) }),
  },
  "code that does not load": {
    of: "look_up_order",
    text: (code) => code.replace("def look_up_order(order_id: str)", "def look_up_order(order_id: str"),
  },
  "a tool that the agent does not list": {
    of: "Returns",
    agent: ({ tools }) => ({ tools: tools.filter((name) => name.endsWith("end_session")) }),
  },
  "an undeclared variable": { of: "Returns", text: (text) => text.replace("{order_id}", "{order_number}") },
};

const KEPT_AS_IT_IS: Readonly<Record<string, Defect & { readonly reason: RegExp }>> = {
  "a defect whose repair breaks a case": {
    of: "Reception",
    text: (text) => text.replace("{@AGENT: Returns}", "{@AGENT: Refunds}"),
    answers: () => {
      const [reception] = good.agents.filter(({ name }) => name === "Reception");
      const broken = { ...NOTHING, agents: [{ ...reception, tools: ["end_session"] }] } as WrittenApp;
      return Array.from({ length: 5 }, () => broken);
    },
    reason: /It breaks the case 'Where is my order'/,
  },
  "a defect that the model does not see": {
    of: "Returns",
    text: (text) => text.replace("{@TOOL: start_return}", "{@TOOL: begin_return}"),
    answers: () => Array.from({ length: 5 }, () => ({ ...NOTHING, tools: good.tools.slice(0, 1) })),
    reason: /It mends nothing of what is wrong/,
  },
};

describe("hill climbing", () => {
  for (const [name, defect] of Object.entries(REPAIRED)) {
    it(`repairs ${name}, and breaks no case`, async () => {
      const app = await appWith(defect);
      const { explanation, snapshot } = await fix(app, defect);
      assert.match(explanation, /Validation and linter have nothing to say\. Goldens: 3 of 3 passed\./);
      assert.equal(snapshot.agents.length, 2);
    });
  }

  for (const [name, defect] of Object.entries(KEPT_AS_IT_IS)) {
    it(`keeps the app as it is with ${name}, and says why`, async () => {
      const app = await appWith(defect);
      const { explanation, snapshot } = await fix(app, defect);
      assert.match(explanation, /No change was found that mends something and breaks nothing/);
      assert.match(explanation, defect.reason);
      assert.match(explanation, /Still wrong/);
      const { agents } = await rest("GET", `${app}/agents`);
      assert.deepEqual(
        snapshot.agents.map(({ instruction }: { instruction: string }) => instruction).sort(),
        agents.map(({ instruction }: { instruction: string }) => instruction).sort(),
      );
    });
  }
});

let apps = 0;

/** The returns desk with a defect. */
async function appWith({ of, text = (same) => same, agent }: Defect): Promise<string> {
  const { zip } = await packFolder(`${TEMPLATES}/returns`, 0);
  const appId = `returns-${++apps}`;
  const request = create(ImportAppRequestSchema, { parent: PARENT, appId, app: { case: "appContent", value: zip } });
  const { name } = await server.app.resources.packages.importApp(request);
  for (const kind of ["agents", "tools"]) {
    const { [kind]: list } = await rest("GET", `${name}/${kind}`);
    const found = list.find(({ displayName }: { displayName: string }) => displayName === of);
    if (!found) continue;
    const changes =
      kind === "agents"
        ? { instruction: text(found.instruction), ...agent?.(found) }
        : { pythonFunction: { ...found.pythonFunction, pythonCode: text(found.pythonFunction.pythonCode) } };
    await rest("PATCH", `${found.name}?updateMask=${Object.keys(changes).join(",")}`, changes);
  }
  return name;
}

/** Asks for a fix with the recorded answers, and sees that nothing is stored. */
async function fix(app: string, { of, answers }: Defect) {
  const mended = {
    ...NOTHING,
    explanation: "Mended.",
    agents: good.agents.filter(({ name }) => name === of),
    tools: good.tools.filter(({ name }) => name === of),
  };
  model.answers = [...(answers?.() ?? [mended])];
  const before = await server.app.resources.tree.readTree(app);
  const response = await generated(server, app, { hillClimbingFixConfig: { qualityReport: REPORT } });
  assert.deepEqual(await server.app.resources.tree.readTree(app), before, "nothing is stored");
  const { explanation } = response.generateResultInfo as { explanation: string };
  return { explanation, snapshot: response.appSnapshot };
}
