import { type DescMessage, type Message, toJson } from "@bufbuild/protobuf";
import { type AgentCard, AgentCardSchema, type Task, TaskSchema } from "@frontdesk/protos/a2a/a2a";
import type { JsonObject, JsonValue } from "#base";
import type { CallContext, Registry } from "#rpc";
import { ConnectError } from "#status";
import type { JsonDecoder } from "../json/decode-json.ts";
import { A2aCode } from "./error-codes.ts";
import { type LegacyAnswer, type LegacyMethods, RpcError } from "./json-rpc.ts";
import { A2A_SERVICE } from "./rules.ts";

/** The library's half of version 0.3: its words to and from those of 1.0. Loaded on first use. */
async function openLibrary() {
  const [compat, core, server] = await Promise.all([
    import("@a2a-js/sdk/compat/v0_3/server"),
    import("@a2a-js/sdk"),
    import("@a2a-js/sdk/server"),
  ]);
  return { ...compat, core, ServerCallContext: server.ServerCallContext };
}

type Library = Awaited<ReturnType<typeof openLibrary>>;
type RequestHandler = ConstructorParameters<Library["LegacyJsonRpcTransportHandler"]>[0];
/** A message type of the library: the JSON of 1.0 on one side, its objects on the other. */
interface Codec<T> {
  toJSON(message: T): unknown;
  fromJSON(json: unknown): T;
}

interface LegacyDeps {
  readonly registry: Registry;
  readonly decode: JsonDecoder;
}

/** The methods of version 0.3, each as the method of 1.0 that it became. */
export function createLegacyMethods(deps: LegacyDeps): LegacyMethods {
  return async (request, tenant, context) => {
    const library = await openLibrary();
    const calls = new LegacyCalls(library, deps, tenant, context);
    const handler = new library.LegacyJsonRpcTransportHandler(calls.handler());
    const answer = await handler.handle({ jsonrpc: "2.0", ...request }, new library.ServerCallContext());
    if (Symbol.asyncIterator in answer)
      return { kind: "stream", results: results(answer as AsyncIterable<JsonObject>) };
    return oneAnswer(answer as unknown as JsonObject, calls);
  };
}

/** The card for clients of 0.3. */
export async function legacyCard(card: AgentCard): Promise<JsonObject> {
  const { core, LegacyJsonRpcTransportHandler, ServerCallContext } = await openLibrary();
  const shown = core.AgentCard.fromJSON(toJson(AgentCardSchema, card));
  const handler = { getAuthenticatedExtendedAgentCard: async () => shown } as unknown as RequestHandler;
  const request = { jsonrpc: "2.0", id: 0, method: "agent/getAuthenticatedExtendedCard" };
  const answer = await new LegacyJsonRpcTransportHandler(handler).handle(request, new ServerCallContext());
  return (answer as unknown as { readonly result: JsonObject }).result;
}

/** A task in the words of 0.3, for its webhooks. */
export async function legacyTaskJson(task: Task): Promise<JsonObject> {
  const { core, V03PushNotificationSerializer } = await openLibrary();
  const value = core.Task.fromJSON(toJson(TaskSchema, task));
  const { body } = new V03PushNotificationSerializer().serialize({ payload: { $case: "task", value } });
  return JSON.parse(body) as JsonObject;
}

/** Methods that the library does not know are unknown; errors of ours are told in our words. */
function oneAnswer({ result, error }: JsonObject, { failure, begun }: LegacyCalls): LegacyAnswer | undefined {
  if (begun && failure !== undefined) throw failure;
  if (failure instanceof ConnectError) throw failure;
  const fault = error as { readonly code: number; readonly message: string } | undefined;
  if (!fault) return { kind: "one", result: result ?? null };
  if (fault.code === A2aCode.methodNotFound) return undefined;
  if (begun) throw new Error(`the library could not write an answer of version 0.3: ${fault.message}`);
  // The library does not check params before it reads them.
  if (fault.code === A2aCode.internalError)
    throw new RpcError(A2aCode.invalidParams, "params do not have the form of the method.");
  throw new RpcError(fault.code, fault.message);
}

/** The library wraps each event of a stream as a response. */
async function* results(answers: AsyncIterable<JsonObject>): AsyncGenerator<JsonValue, void> {
  for await (const { result } of answers) yield result ?? null;
}

/** The calls that one request of 0.3 makes. */
class LegacyCalls {
  readonly #library: Library;
  readonly #deps: LegacyDeps;
  readonly #tenant: string;
  readonly #context: CallContext;
  /** What the method failed with: the library keeps less of it. */
  failure: unknown;
  /** Whether the library has read the request, and a method was called. */
  begun = false;

  constructor(library: Library, deps: LegacyDeps, tenant: string, context: CallContext) {
    this.#library = library;
    this.#deps = deps;
    this.#tenant = tenant;
    this.#context = context;
  }

  handler(): RequestHandler {
    const { core } = this.#library;
    // In 0.3 a task has one config unless its client names them: it has the id of the task.
    const named = <T extends { id: string; taskId: string }>(config: T): T => ({
      ...config,
      id: config.id || config.taskId,
    });
    return {
      getAgentCard: async () => core.AgentCard.fromJSON({ capabilities: { streaming: true, pushNotifications: true } }),
      getAuthenticatedExtendedAgentCard: (params) =>
        this.#unary("GetExtendedAgentCard", params, core.GetExtendedAgentCardRequest, core.AgentCard),
      sendMessage: async (params) => {
        const { payload } = await this.#unary("SendMessage", params, core.SendMessageRequest, core.SendMessageResponse);
        if (!payload) throw new Error("a message was answered with nothing");
        return payload.value;
      },
      sendMessageStream: (params) => this.#stream("SendStreamingMessage", params, core.SendMessageRequest),
      getTask: (params) => this.#unary("GetTask", params, core.GetTaskRequest, core.Task),
      listTasks: (params) => this.#unary("ListTasks", params, core.ListTasksRequest, core.ListTasksResponse),
      cancelTask: (params) => this.#unary("CancelTask", params, core.CancelTaskRequest, core.Task),
      resubscribe: (params) => this.#stream("SubscribeToTask", params, core.SubscribeToTaskRequest),
      createTaskPushNotificationConfig: (params) => {
        const { TaskPushNotificationConfig: config } = core;
        return this.#unary("CreateTaskPushNotificationConfig", named(params), config, config);
      },
      getTaskPushNotificationConfig: (params) => {
        const { GetTaskPushNotificationConfigRequest, TaskPushNotificationConfig } = core;
        const method = "GetTaskPushNotificationConfig";
        return this.#unary(method, named(params), GetTaskPushNotificationConfigRequest, TaskPushNotificationConfig);
      },
      listTaskPushNotificationConfigs: (params) => {
        const { ListTaskPushNotificationConfigsRequest: request, ListTaskPushNotificationConfigsResponse: response } =
          core;
        return this.#unary("ListTaskPushNotificationConfigs", params, request, response);
      },
      deleteTaskPushNotificationConfig: async (params) => {
        const { DeleteTaskPushNotificationConfigRequest } = core;
        const nothing: Codec<undefined> = { toJSON: () => ({}), fromJSON: () => undefined };
        await this.#unary(
          "DeleteTaskPushNotificationConfig",
          named(params),
          DeleteTaskPushNotificationConfigRequest,
          nothing,
        );
      },
    };
  }

  async #unary<I, O>(name: string, params: I, input: Codec<I>, output: Codec<O>): Promise<O> {
    try {
      const { method, message } = this.#request(name, params, input);
      const answer = await this.#deps.registry.unary(method, message, this.#context);
      return output.fromJSON(jsonOf(method.internalMethod.output, answer));
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  async *#stream<I>(name: string, params: I, input: Codec<I>) {
    const { method, message } = this.#request(name, params, input);
    const { StreamResponse } = this.#library.core;
    for await (const event of this.#deps.registry.stream(method, message, this.#context))
      yield StreamResponse.fromJSON(jsonOf(method.internalMethod.output, event));
  }

  #request<I>(name: string, params: I, input: Codec<I>) {
    const { registry, decode } = this.#deps;
    const method = registry.find(`/${A2A_SERVICE}/${name}`);
    if (!method) throw new Error(`${name} is not registered`);
    const json = { ...(input.toJSON(params) as JsonObject), tenant: this.#tenant };
    const message = decode(method.internalMethod.input, json);
    this.begun = true;
    return { method, message };
  }
}

/** Messages of A2A have no `Any`. */
function jsonOf(type: DescMessage, message: Message): JsonValue {
  return toJson(type, message) as JsonValue;
}
