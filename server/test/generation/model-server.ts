import { type ChatCompletionRequest, LLMock } from "@copilotkit/aimock";
import { type ModelsConfig, modelsConfigFrom } from "#models";
import { startTestServer, type TestServer } from "#testing";
import type { ProviderType } from "../providers/mock-provider.ts";
import type { WrittenGolden } from "./recorded-apps.ts";

/** A recorded answer of a model that writes: JSON, a text, or what a failing provider does. */
type RecordedTurn = WrittenGolden["turns"][number];

type WrittenAnswer = object | string | { readonly failsWith: number };

/** A third party's model server on loopback that plays recorded answers. */
export interface ModelServer extends AsyncDisposable {
  /** The configuration whose only model it is. */
  readonly models: ModelsConfig;
  /** Answers to what is asked for JSON, in order; each is given once. */
  readonly answers: WrittenAnswer[];
  /** What the writing model was asked, in order: system prompt, material, and the form of the answer as OpenAI's API has it. */
  readonly asked: { readonly system: string; readonly material: string; readonly format: unknown }[];
  /** How agents answer: the turns of goldens, by what the user says. */
  plays(goldens: readonly WrittenGolden[]): void;
}

/** A model server, and a product whose only model it is. */
export interface RecordedProduct extends ModelServer {
  readonly server: TestServer;
}

const MODELS: Readonly<Record<ProviderType, string>> = {
  gemini: "gemini-2.5-flash",
  openai: "gpt-4.1",
  anthropic: "claude-sonnet-4-5",
};

/** What every prompt of a writing model says, and no prompt of an agent. */
const WRITES = /Everything between tags in the user's message is material/;

/** Starts a model server with the API of a provider. */
export async function modelServer(type: ProviderType): Promise<ModelServer> {
  const mock = new LLMock({ port: 0, strict: true, chunkSize: 2_000 });
  const url = await mock.start();
  const answers: WrittenAnswer[] = [];
  const asked: ModelServer["asked"] = [];
  const turns = new Map<string, RecordedTurn>();
  mock.on({ predicate: (request) => WRITES.test(systemOf(request)) }, (request) => {
    asked.push({ system: systemOf(request), material: lastOfUser(request), format: request.response_format });
    return written(type, answers.shift());
  });
  mock.on({ predicate: (request) => turnOf(request, turns) !== undefined }, (request) =>
    acted(turnOf(request, turns) as RecordedTurn, request),
  );
  const provider = { type, apiKey: "secret-key", baseUrl: type === "openai" ? `${url}/v1` : url };
  const retries = { attempts: 1, baseDelayMs: 2 };
  const file = { default: `mocked/${MODELS[type]}`, providers: { mocked: provider }, retries };
  return {
    models: modelsConfigFrom({ environment: {}, file }),
    answers,
    asked,
    plays: (goldens) => {
      for (const turn of goldens.flatMap((golden) => golden.turns)) turns.set(turn.user, turn);
    },
    [Symbol.asyncDispose]: () => mock.stop(),
  };
}

/** Starts a model server, and a product that asks it. */
export async function recordedProduct(type: ProviderType): Promise<RecordedProduct> {
  const recorded = await modelServer(type);
  const server = await startTestServer({ config: { models: recorded.models } });
  return {
    ...recorded,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await recorded[Symbol.asyncDispose]();
    },
  };
}

/** JSON is the arguments of a tool on Anthropic's API, and text on the others. */
function written(type: ProviderType, answer: WrittenAnswer | undefined) {
  if (answer === undefined) return { error: { message: "no answer is left in the recording" }, status: 599 };
  if (typeof answer === "object" && "failsWith" in answer)
    return { error: { message: "the provider fails" }, status: Number(answer.failsWith) };
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  const isObject = typeof answer === "object";
  return type === "anthropic" && isObject
    ? { toolCalls: [{ name: "answer_as_json", arguments: text }] }
    : { content: text };
}

/** The turn that a request belongs to: the last that a user began, with where its message is. */
function turnOf(request: ChatCompletionRequest, turns: ReadonlyMap<string, RecordedTurn>): RecordedTurn | undefined {
  const texts = request.messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content));
  const known = (text: string) => [...turns].find(([user]) => text.split(CONTEXT)[0]?.endsWith(user))?.[1];
  return texts.reverse().flatMap((text) => known(text) ?? [])[0];
}

/** What an agent gets of the turn's part before the transfer to it. */
const CONTEXT = "For context:";

/** The next step of a turn: its transfers, its calls, its words. */
function acted(turn: RecordedTurn, request: ChatCompletionRequest) {
  const { messages } = request;
  const begun = messages.findLastIndex(({ content }) => textOf(content).split(CONTEXT)[0]?.endsWith(turn.user));
  const own = messages.slice(begun);
  const transferred = own.reduce(
    (count, { content }) => count + textOf(content).split("called tool `transfer_to_agent`").length - 1,
    0,
  );
  const done = transferred + own.filter(({ role }) => role === "tool").length;
  const transfers = turn.transfers.map((agent) => ({
    name: "transfer_to_agent",
    arguments: JSON.stringify({ agent_name: agent }),
  }));
  const calls = turn.tool_calls.map(({ tool, args_json }) => ({ name: tool, arguments: args_json }));
  const step = [...transfers, ...calls][done];
  // Nothing is said after the end of a session.
  if (step?.name === "end_session") return { content: turn.answer, toolCalls: [step] };
  return step ? { toolCalls: [step] } : { content: turn.answer };
}

function systemOf({ messages }: ChatCompletionRequest): string {
  return messages
    .filter(({ role }) => role === "system")
    .map(({ content }) => textOf(content))
    .join("\n");
}

function lastOfUser({ messages }: ChatCompletionRequest): string {
  return textOf(messages.findLast(({ role }) => role === "user")?.content ?? "");
}

function textOf(content: ChatCompletionRequest["messages"][number]["content"]): string {
  return typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("");
}
