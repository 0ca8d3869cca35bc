import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ImportAppRequestSchema } from "@frontdesk/protos/ces/agent_service";
import { packFolder } from "#resources";
import type { ProviderType } from "../providers/mock-provider.ts";
import { restOf } from "../rest.ts";
import { emptyApp, finished, generate, generated } from "./generate.ts";
import { type RecordedProduct, recordedProduct } from "./model-server.ts";
import { NOTHING, TEMPLATES, type WrittenApp, writtenApp } from "./recorded-apps.ts";

const PARENT = "projects/local/locations/us";

/** The returns desk of the templates, with what it is made of. */
interface Desk {
  readonly app: string;
  readonly product: RecordedProduct;
  readonly written: WrittenApp;
  /** A resource of the app by display name. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
  find(kind: "agents" | "tools" | "evaluations", displayName: string): Promise<any>;
}

interface Kind {
  readonly request: (desk: Desk) => object | Promise<object>;
  readonly answers: (desk: Desk) => readonly object[];
  /** What the response has. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
  readonly holds: (response: any, desk: Desk) => void;
}

const INSTRUCTION = `<role>You help.</role>
<persona>Kind.</persona>
<taskflow>
<subtask name="a">
<step name="b"><trigger>Always.</trigger><action>Help.</action></step>
</subtask>
</taskflow>`;

const CODE = `def gift_price(items: int) -> dict:
    """Tells the price of wrapping gifts.

    Args:
        items: how many (REQUIRED)
    """
    return {"price": 2 * items}
`;

const DOCUMENT = `openapi: 3.1.0
info: {title: Stock, version: "1"}
servers: [{url: "https://stock.example"}]
paths:
  /items:
    get: {operationId: list_items, summary: Lists., responses: {"200": {description: Items.}}}
`;

/** A part of a text to be written anew. */
const part = (fieldMask: string, text: string, whole: string) => ({
  refineInstructions: [
    {
      startIndex: whole.indexOf(text),
      endIndex: whole.indexOf(text) + text.length - 1,
      fieldMask,
      instructions: "Say it better.",
    },
  ],
});
const refined = (text: string) => [{ explanation: "Better.", parts: [{ number: 1, text }] }];

const KINDS: Readonly<Record<string, Kind>> = {
  "a part of an instruction": {
    request: async ({ find }) => {
      const agent = await find("agents", "Returns");
      return { agent, ...part("instruction", "You take returns.", agent.instruction) };
    },
    answers: () => refined("You take things back."),
    holds: ({ agent }) => assert.match(agent.instruction, /<role>\nYou take things back\.\n<\/role>/),
  },
  "a part of a Python function": {
    request: async ({ find }) => {
      const { name, displayName, pythonFunction } = await find("tools", "look_up_order");
      const { pythonCode } = pythonFunction;
      return {
        tool: { name, displayName, pythonFunction },
        ...part("pythonFunction.pythonCode", '"a teapot"', pythonCode),
      };
    },
    answers: () => refined('"a small teapot"'),
    holds: ({ tools }) => assert.match(tools.tools[0].pythonFunction.pythonCode, /"item": "a small teapot"/),
  },
  "a part of an OpenAPI document": {
    request: () => ({
      toolset: { displayName: "stock", openApiToolset: { openApiSchema: DOCUMENT } },
      ...part("openApiToolset.openApiSchema", "Lists.", DOCUMENT),
    }),
    answers: () => refined("Lists what is in stock."),
    holds: ({ toolset }) => assert.match(toolset.openApiToolset.openApiSchema, /summary: Lists what is in stock\.,/),
  },
  "an agent": {
    request: () => ({ agent: { displayName: "Helper", description: "Helps with gifts." } }),
    answers: () => [{ explanation: "Written.", instruction: INSTRUCTION }],
    holds: ({ agent }) => assert.equal(agent.instruction, INSTRUCTION),
  },
  "a tool": {
    request: () => ({ toolGenerationConfig: { context: "Tells what gift wrapping costs." } }),
    answers: () => [{ explanation: "A price.", tools: [{ name: "gift_price", code: CODE }], remove: [] }],
    holds: ({ tools }) => assert.equal(tools.tools[0].pythonFunction.pythonCode, CODE),
  },
  "a toolset from examples": {
    request: () => ({
      toolGenerationConfig: {
        context: "The stock of the shop.",
        openApiToolsetGenerationConfig: {
          uri: "https://stock.example",
          operationGenerationConfigs: [{ method: "GET", path: "/items", responseJson: '{"items":["a"]}' }],
        },
      },
    }),
    answers: () => [
      {
        explanation: "Described.",
        operations: [
          { operation_id: "get_items", summary: "Lists what is in stock.", description: "", parameters: [] },
        ],
      },
    ],
    holds: ({ toolset }) => assert.match(toolset.openApiToolset.openApiSchema, /Lists what is in stock\./),
  },
  "evaluations that run": {
    request: () => ({ evaluationGenerationConfig: {} }),
    answers: ({ written }) => {
      const [golden] = written.goldens;
      const scenario = { name: "Gift", task: "Buy one.", user_facts: [], rubrics: ["Is kind."], max_turns: 5 };
      return [{ explanation: "", goldens: [{ ...golden, name: "Again" }], scenarios: [scenario], remove: [] }];
    },
    holds: ({ evaluations, generateResultInfo }) => {
      assert.equal(evaluations.evaluations.length, 2);
      assert.match(generateResultInfo.explanation, /Goldens: 1 of 1 passed/);
    },
  },
  personas: {
    request: () => ({ evaluationPersonasGenerationConfig: {} }),
    answers: () => [
      { explanation: "", personas: [{ name: "In a hurry", description: "", personality: "Says little." }] },
    ],
    holds: ({ appSnapshot }) => assert.equal(appSnapshot.app.evaluationPersonas[0].displayName, "In a hurry"),
  },
  "a fix": {
    request: () => ({
      hillClimbingFixConfig: { qualityReport: { generalIssues: [{ description: "Too long.", occurrenceCount: 1 }] } },
    }),
    answers: ({ written }) => Array.from({ length: 5 }, () => ({ ...NOTHING, agents: written.agents.slice(0, 1) })),
    holds: ({ appSnapshot, generateResultInfo }) => {
      assert.equal(appSnapshot.agents.length, 2);
      assert.match(generateResultInfo.explanation, /Goldens: 3 of 3 passed/);
    },
  },
  ...Object.fromEntries(
    ["AGENT_CENTRIC", "APP_CENTRIC"].map((algorithm) => [`a report, ${algorithm}`, report(algorithm)]),
  ),
};

/** A report of a run in which one golden passed and one failed, grouped by the model. */
function report(algorithm: string): Kind {
  return {
    request: async ({ app, product, find }) => {
      const rest = restOf(() => product.server);
      const { golden, name } = await find("evaluations", "A broken teapot");
      const wrong = JSON.parse(
        JSON.stringify(golden).replaceAll('"reason":"It arrived broken"', '"reason":"It is blue"'),
      );
      const evaluationId = `failing-${algorithm.toLowerCase().replace("_", "-")}`;
      await rest("POST", `${app}/evaluations?evaluationId=${evaluationId}`, {
        displayName: evaluationId,
        golden: wrong,
      });
      const evaluations = [name, `${app}/evaluations/${evaluationId}`];
      const { response } = await finished(product.server, await rest("POST", `${app}:runEvaluation`, { evaluations }));
      return { qualityReportGenerationConfig: { evaluationRun: response.evaluationRun, algorithm } };
    },
    answers: () => [
      {
        explanation: "One cause.",
        issues: [
          { agent: "Returns", description: "The reason is changed.", proposed_solution: "Keep it.", failures: [1] },
        ],
      },
    ],
    holds: ({ qualityReport }) => {
      const { issues = [], generalIssues = [] } = qualityReport;
      const [{ description }] = algorithm === "APP_CENTRIC" ? generalIssues : issues[0].issues;
      assert.equal(description, "The reason is changed.");
    },
  };
}

/** What a provider may answer instead of what it was asked for. */
const FAULTY: readonly (readonly [what: string, answer: object | string, says: RegExp])[] = [
  ["an answer that is no JSON", "I would rather talk.", /the answer is not JSON|not a JSON object/],
  ["an answer that breaks off", '{"explanation": "', /the answer is not JSON/],
  ["an answer of another form", { explanation: 7 }, /it has not the asked form: explanation/],
  ["an answer without anything", {}, /it has not the asked form|No draft could be stored/],
];

/** Tests that a model behind a provider writes every kind, and what becomes of answers that cannot be used. */
export function writesEveryKind(provider: ProviderType): void {
  describe(`a model behind ${provider} writes (GEN-2)`, () => {
    let desk: Desk;
    before(async () => {
      desk = await openDesk(await recordedProduct(provider));
    });
    after(() => desk.product[Symbol.asyncDispose]());

    for (const [name, { request, answers, holds }] of Object.entries(KINDS)) {
      it(name, async () => {
        const { app, product } = desk;
        const asked = product.asked.length;
        const body = await request(desk);
        const tree = () => product.server.app.resources.tree.readTree(app);
        const was = await tree();
        product.answers.splice(0, Number.POSITIVE_INFINITY, ...answers(desk));
        holds(await generated(product.server, app, body), desk);
        assert.deepEqual(await tree(), was, "nothing is stored");
        if (provider !== "openai") return;
        for (const { format } of product.asked.slice(asked)) assert.match(JSON.stringify(format), /"strict":true/);
      });
    }

    for (const [index, [what, answer, says]] of FAULTY.entries()) {
      it(`${what}, which is told and changes nothing (GEN-10)`, async () => {
        const { product } = desk;
        const app = await emptyApp(product.server, `empty-${index}`);
        product.answers.splice(0, Number.POSITIVE_INFINITY, ...Array.from({ length: 3 }, () => answer));
        const { error } = await generate(product.server, app, { appGenerationConfig: { context: "A shop." } });
        assert.match(error.message, says);
        assert.match(error.message, /Nothing was changed/);
        assert.deepEqual((await product.server.app.resources.tree.readTree(app)).agents, []);
      });
    }
  });
}

async function openDesk(product: RecordedProduct): Promise<Desk> {
  const { zip } = await packFolder(`${TEMPLATES}/returns`, 0);
  const appContent = { case: "appContent", value: zip } as const;
  const request = create(ImportAppRequestSchema, { parent: PARENT, appId: "returns", app: appContent });
  const { name: app } = await product.server.app.resources.packages.importApp(request);
  const written = await writtenApp("returns");
  product.plays(written.goldens);
  const rest = restOf(() => product.server);
  return {
    app,
    product,
    written,
    find: async (kind, displayName) => {
      const { [kind]: list } = await rest("GET", `${app}/${kind}`);
      return list.find((one: { readonly displayName: string }) => one.displayName === displayName);
    },
  };
}
