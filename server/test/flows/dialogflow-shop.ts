import assert from "node:assert/strict";
import type { JsonObject } from "#base";
import { ScriptedModel, startTestServer, type TestServer } from "#testing";
import { type FlowAnswer, type GoogleServer, startDialogflow } from "#testing/google";

const PARENT = "projects/local/locations/us";

export const APP = `${PARENT}/apps/the-shop`;

export const REMOTE = "projects/my-project/locations/europe-west3/agents/0123-abcd";

/** What a flow says, as Dialogflow answers it. */
export const says = (...texts: readonly string[]): JsonObject => ({
  responseMessages: texts.map((text) => ({ text: { text: [text] } })),
  currentPage: { name: `${REMOTE}/flows/f/pages/p`, displayName: "Ask order" },
});

export const ended = (parameters: JsonObject, ...texts: readonly string[]): JsonObject => ({
  ...says(...texts),
  responseMessages: [...texts.map((text) => ({ text: { text: [text] } })), { endInteraction: {} }],
  currentPage: { name: `${REMOTE}/flows/f/pages/END_SESSION`, displayName: "End Session" },
  parameters,
});

interface Shop extends AsyncDisposable {
  readonly server: TestServer;
  readonly dialogflow: GoogleServer;
  turn(session: string, ...inputs: readonly JsonObject[]): Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly outputs: readonly JsonObject[];
  readonly message: string;
  readonly spans: readonly { readonly name: string; readonly attributes: JsonObject }[];
}

interface ShopSketch {
  readonly answers: readonly FlowAnswer[];
  readonly model?: ScriptedModel;
  readonly remote?: JsonObject;
  readonly app?: JsonObject;
  readonly config?: JsonObject;
  readonly root?: "front-desk" | "orders-flow";
  readonly defaultLanguage?: string;
  readonly configured?: boolean;
  readonly recordDir?: string;
  /** Whether the operator lets requests of apps go to loopback, where the Dialogflow of tests is. */
  readonly opened?: boolean;
}

/** A front agent that may hand over to a flow for orders. */
export async function openShop(sketch: ShopSketch): Promise<Shop> {
  const {
    answers,
    model = new ScriptedModel(),
    remote,
    app,
    config,
    root = "front-desk",
    configured = true,
    opened = true,
  } = sketch;
  const dialogflow = await startDialogflow({
    answers,
    ...(sketch.defaultLanguage && { defaultLanguage: sketch.defaultLanguage }),
  });
  const accessToken = async () => "a-token";
  const server = await startTestServer({
    model,
    config: {
      ...(sketch.recordDir && { recordDir: sketch.recordDir }),
      egressAllow: opened ? ["127.0.0.1"] : [],
      ...(configured && { dialogflow: { endpoint: dialogflow.address, accessToken, timeoutMs: 5_000 } }),
    },
  });
  const send = async (method: string, path: string, body: JsonObject) => {
    const response = await fetch(`${server.address}/v1beta/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as JsonObject };
  };
  const made = async (method: string, path: string, body: JsonObject) => {
    const { status, body: answer } = await send(method, path, body);
    assert.equal(status, 200, JSON.stringify(answer));
  };
  const declared = ["order", "language", "status"].map((name) => ({ name, schema: { type: "STRING" } }));
  await made("POST", `${PARENT}/apps?appId=the-shop`, { displayName: "Shop", variableDeclarations: declared, ...app });
  await made("POST", `${APP}/agents?agentId=orders-flow`, {
    displayName: "Orders",
    remoteDialogflowAgent: {
      agent: REMOTE,
      flowId: "f",
      inputVariableMapping: { order: "order_id" },
      outputVariableMapping: { order_status: "status" },
      ...remote,
    },
  });
  await made("POST", `${APP}/agents?agentId=front-desk`, {
    displayName: "Front",
    instruction: "Status is {{status}}.",
    childAgents: [`${APP}/agents/orders-flow`],
  });
  await made("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/${root}` });
  return {
    server,
    dialogflow,
    async turn(session, ...inputs) {
      const name = `${APP}/sessions/${session}`;
      const { status, body } = await send("POST", `${name}:runSession`, {
        config: { session: name, ...config },
        inputs: [...inputs],
      });
      const { outputs = [], error } = body as unknown as { outputs?: JsonObject[]; error?: { message: string } };
      const info = outputs.at(-1)?.diagnosticInfo as { rootSpan?: { childSpans: Answer["spans"] } } | undefined;
      return {
        status,
        message: error?.message ?? "",
        outputs: outputs.map(
          ({ turnIndex: _index, diagnosticInfo: _info, turnCompleted: _completed, ...rest }) => rest,
        ),
        spans: info?.rootSpan?.childSpans ?? [],
      };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await dialogflow[Symbol.asyncDispose]();
      model.assertDone();
    },
  };
}
