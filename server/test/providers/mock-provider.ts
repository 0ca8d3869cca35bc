import { LLMock } from "@copilotkit/aimock";
import { modelsConfigFrom } from "#models";
import { startTestServer, type TestServer } from "#testing";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";

/** The provider types whose APIs a third party's mock serves. */
export type ProviderType = "gemini" | "openai" | "anthropic";

export const PROVIDER_TYPES: readonly ProviderType[] = ["gemini", "openai", "anthropic"];

/** A third party's model server on loopback, and a product whose only model it is. */
export interface MockedProduct extends AsyncDisposable {
  readonly mock: LLMock;
  readonly server: TestServer;
  /** An app of one agent with a tool `look_up` of the client. */
  readonly app: string;
  /** The HTTP status of each response so far; 0 for a connection that the mock broke. */
  statuses(): readonly number[];
}

/** Starts both. `app` holds the app's fields beside its agent. */
export async function mockedProduct(type: ProviderType, app: object = {}): Promise<MockedProduct> {
  // A pause between pieces, as with a model that writes: pieces that arrive together are one.
  const mock = new LLMock({ port: 0, strict: true, chunkSize: 8, latency: 5 });
  const url = await mock.start();
  const provider = { type, apiKey: "secret-key", baseUrl: type === "openai" ? `${url}/v1` : url };
  const models = modelsConfigFrom({
    environment: {},
    file: {
      default: `mocked/${MODELS[type]}`,
      providers: { mocked: provider },
      retries: { attempts: 3, baseDelayMs: 2 },
    },
  });
  const server = await startTestServer({ config: { models } });
  return {
    mock,
    server,
    app: await createApp(server, app),
    statuses: () => mock.getRequests().map(({ response }) => response.status),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await mock.stop();
    },
  };
}

const MODELS: Readonly<Record<ProviderType, string>> = {
  gemini: "gemini-2.5-flash",
  openai: "gpt-4.1",
  anthropic: "claude-sonnet-4-5",
};

async function createApp(server: TestServer, app: object): Promise<string> {
  const name = await appOfOneAgent(server, "mocked-app", { instruction: "Answer." }, app);
  const send = async (method: string, path: string, body: object): Promise<void> => {
    const headers = { "content-type": "application/json" };
    const init = { method, headers, body: JSON.stringify(body) };
    const response = await fetch(`${server.address}/v1beta/${path}`, init);
    if (!response.ok) throw new Error(await response.text());
  };
  const properties = { order: { type: "STRING" }, parts: { type: "ARRAY", items: { type: "INTEGER" } } };
  await send("POST", `${name}/tools?toolId=look-up`, {
    clientFunction: { name: "look_up", description: "Looks an order up.", parameters: { type: "OBJECT", properties } },
  });
  await send("PATCH", `${name}/agents/root-agent?updateMask=tools`, { tools: [`${name}/tools/look-up`] });
  return name;
}
