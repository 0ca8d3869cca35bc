import { type DescMethod, fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { A2AService } from "@frontdesk/protos/a2a/a2a";
import { ErrorInfoSchema } from "@frontdesk/protos/google/rpc/error_details";
import { StatusSchema } from "@frontdesk/protos/google/rpc/status";
import * as grpc from "@grpc/grpc-js";
import type { JsonObject } from "#base";
import { nonEmptyFields } from "#base";

export type Method = keyof typeof A2AService.method;

/** What came back: a message, or an error by the number of its binding and the reason that all bindings share. */
export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
  readonly value?: any;
  readonly fault?: { readonly code: number; readonly reason: string | undefined; readonly message: string };
}

/** A binding of the protocol, byte by byte: nothing of an SDK is between. */
export interface Wire {
  readonly name: "JSON-RPC" | "HTTP+JSON" | "gRPC";
  call(method: Method, request: object, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Rejects with the answer when there is an error instead of a stream. */
  stream(method: Method, request: object, headers?: Readonly<Record<string, string>>): AsyncGenerator<JsonObject, void>;
  close(): void;
}

/** The three bindings at the address of an agent; `tenant` is its name for gRPC, "" for the agent of the server. */
export function wiresTo(address: string, tenant: string): readonly Wire[] {
  const base = `${address}/a2a${tenant === "" ? "" : `/${tenant}`}`;
  return [jsonRpcWire(base), restWire(base), grpcWire(new URL(address).host, tenant)];
}

export class StreamFault extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(answer.fault?.message);
    this.answer = answer;
  }
}

const VERSION = { "a2a-version": "1.0" };

function jsonRpcWire(url: string): Wire {
  const post = (method: Method, params: object, headers = {}) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...VERSION, ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: nameOf(method), params }),
    });
  return {
    name: "JSON-RPC",
    async call(method, params, headers) {
      return rpcAnswer(await (await post(method, params, headers)).json());
    },
    async *stream(method, params, headers) {
      for await (const event of eventsIn(await post(method, params, headers))) {
        const answer = rpcAnswer(event);
        if (answer.fault) throw new StreamFault(answer);
        yield answer.value;
      }
    },
    close: () => {},
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
function rpcAnswer({ result, error }: any): Answer {
  if (!error) return { value: result };
  return { fault: { code: error.code, message: error.message, reason: reasonIn(error.data) } };
}

/** Method and path of each method of the service, with the members of the request that are in the path. */
const PATHS: Readonly<Record<Method, string>> = {
  sendMessage: "POST /message:send",
  sendStreamingMessage: "POST /message:stream",
  getTask: "GET /tasks/{id}",
  listTasks: "GET /tasks",
  cancelTask: "POST /tasks/{id}:cancel",
  subscribeToTask: "GET /tasks/{id}:subscribe",
  createTaskPushNotificationConfig: "POST /tasks/{taskId}/pushNotificationConfigs",
  getTaskPushNotificationConfig: "GET /tasks/{taskId}/pushNotificationConfigs/{id}",
  listTaskPushNotificationConfigs: "GET /tasks/{taskId}/pushNotificationConfigs",
  deleteTaskPushNotificationConfig: "DELETE /tasks/{taskId}/pushNotificationConfigs/{id}",
  getExtendedAgentCard: "GET /extendedAgentCard",
};

function restWire(base: string): Wire {
  const send = (method: Method, request: object, headers = {}) => {
    const rest: Record<string, unknown> = { ...request };
    const [verb, template = ""] = PATHS[method].split(" ");
    const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => {
      const value = String(rest[name]);
      delete rest[name];
      return encodeURIComponent(value);
    });
    const query = new URLSearchParams(
      Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const body = verb === "POST" ? { body: JSON.stringify(rest) } : {};
    return fetch(`${base}${path}${verb === "POST" ? "" : `?${query}`}`, {
      ...nonEmptyFields({ method: verb }),
      headers: { ...VERSION, ...(verb === "POST" && { "content-type": "application/a2a+json" }), ...headers },
      ...body,
    });
  };
  const faultIn = async (response: Response): Promise<Answer> => {
    const { error } = (await response.json()) as { error: { code: number; message: string; details?: unknown } };
    return { fault: { code: response.status, message: error.message, reason: reasonIn(error.details) } };
  };
  return {
    name: "HTTP+JSON",
    async call(method, request, headers) {
      const response = await send(method, request, headers);
      return response.ok ? { value: await response.json() } : faultIn(response);
    },
    async *stream(method, request, headers) {
      const response = await send(method, request, headers);
      if (!response.ok) throw new StreamFault(await faultIn(response));
      yield* eventsIn(response);
    },
    close: () => {},
  };
}

function grpcWire(host: string, tenant: string): Wire {
  const client = new grpc.Client(host, grpc.credentials.createInsecure());
  const encode = (method: DescMethod) => (request: object) =>
    Buffer.from(
      toBinary(
        method.input,
        fromJson(method.input, { tenant, ...request } as JsonObject, { ignoreUnknownFields: true }),
      ),
    );
  const decode = (method: DescMethod) => (bytes: Buffer) =>
    toJson(method.output, fromBinary(method.output, bytes)) as JsonObject;
  const pathOf = (method: Method) => `/lf.a2a.v1.A2AService/${nameOf(method)}`;
  const metadataOf = (headers: object) => grpc.Metadata.fromHttp2Headers({ ...VERSION, ...headers });
  return {
    name: "gRPC",
    call: (name, request, headers = {}) => {
      const method = A2AService.method[name];
      return new Promise((resolve, reject) => {
        try {
          client.makeUnaryRequest(
            ...([pathOf(name), encode(method), decode(method), request, metadataOf(headers)] as const),
            (error, value) => resolve(error ? grpcFault(error) : { value }),
          );
        } catch (error) {
          reject(error);
        }
      });
    },
    async *stream(name, request, headers = {}) {
      const method = A2AService.method[name];
      const stream = client.makeServerStreamRequest(
        pathOf(name),
        encode(method),
        decode(method),
        request,
        metadataOf(headers),
      );
      try {
        yield* stream as AsyncIterable<JsonObject>;
      } catch (error) {
        throw new StreamFault(grpcFault(error as grpc.ServiceError));
      } finally {
        stream.cancel();
      }
    },
    close: () => client.close(),
  };
}

function grpcFault({ code, details, metadata }: grpc.ServiceError): Answer {
  const [bytes] = metadata?.get("grpc-status-details-bin") ?? [];
  const status = bytes ? fromBinary(StatusSchema, new Uint8Array(bytes as Buffer)) : undefined;
  const info = status?.details.flatMap((any) => anyUnpack(any, ErrorInfoSchema) ?? [])[0];
  return { fault: { code, message: details, reason: info?.reason } };
}

function nameOf(method: Method): string {
  return A2AService.method[method].name;
}

function reasonIn(details: unknown): string | undefined {
  const all = Array.isArray(details) ? details : [];
  return all.find((each) => each["@type"] === "type.googleapis.com/google.rpc.ErrorInfo")?.reason;
}

/** The JSON of each server-sent event. */
export async function* eventsIn(response: Response): AsyncGenerator<JsonObject, void> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    yield (await response.json()) as JsonObject;
    return;
  }
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    const events = text.split(/\r?\n\r?\n/);
    text = events.pop() ?? "";
    for (const event of events) {
      const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trim()] : []));
      if (data.length > 0) yield JSON.parse(data.join("\n")) as JsonObject;
    }
  }
}
