import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { type AgentCard, type Message, Role, type Task, TaskState } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";

/** A real A2A agent on this machine, of the SDK, that runs the command in the first word of a message. */
export interface A2aAgent extends AsyncDisposable {
  readonly origin: string;
  /** Messages that it got, in order. */
  readonly got: readonly Message[];
  /** Headers of the requests that it got, in order. */
  readonly headers: readonly NodeJS.Dict<string | string[]>[];
  /** Tasks that were called off. */
  readonly canceled: readonly string[];
}

interface A2aAgentOptions {
  /** Default true. */
  readonly streaming?: boolean;
  /** Whether it serves its card. Default true. */
  readonly card?: boolean;
}

/** Starts the agent: JSON-RPC at `/rpc` (A2A 1.0 and 0.3), HTTP+JSON at `/rest`. */
export async function startA2aAgent({ streaming = true, card = true }: A2aAgentOptions = {}): Promise<A2aAgent> {
  const got: Message[] = [];
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const canceled: string[] = [];
  const app = express();
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const handler = new DefaultRequestHandler(cardOf(origin, streaming), new InMemoryTaskStore(), executor(got, canceled));
  const options = {
    requestHandler: handler,
    userBuilder: UserBuilder.noAuthentication,
    legacyCompat: { enabled: true },
  };
  app.use((request, _response, next) => {
    headers.push(request.headers);
    next();
  });
  if (card) app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: handler }));
  app.use("/rpc", jsonRpcHandler(options));
  app.use("/rest", restHandler(options));
  return {
    origin,
    got,
    headers,
    canceled,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function cardOf(origin: string, streaming: boolean): AgentCard {
  const at = (path: string, protocolBinding: string, protocolVersion: string) => ({
    url: `${origin}${path}`,
    protocolBinding,
    protocolVersion,
    tenant: "",
  });
  return {
    name: "Travel desk",
    description: "Books journeys.",
    version: "1",
    supportedInterfaces: [
      at("/rpc", "JSONRPC", "1.0"),
      at("/rpc", "JSONRPC", "0.3"),
      at("/rest", "HTTP+JSON", "1.0"),
    ],
    capabilities: { streaming, pushNotifications: false, extendedAgentCard: false, extensions: [] },
    provider: undefined,
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
    signatures: [],
  };
}

function executor(got: Message[], canceled: string[]): AgentExecutor {
  const calledOff = Promise.withResolvers<void>();
  return {
    execute: async (context, bus) => {
      got.push(context.userMessage);
      const words = textOf(context.userMessage);
      const act = ACTIONS[words.split(" ")[0] ?? ""] ?? ACTIONS.say;
      act?.(context, bus, words);
      if (words.startsWith("wait")) await calledOff.promise;
    },
    cancelTask: async (taskId, bus) => {
      canceled.push(taskId);
      bus.publish(status(taskId, "", TaskState.TASK_STATE_CANCELED));
      bus.finished();
      calledOff.resolve();
    },
  };
}

type Action = (context: RequestContext, bus: ExecutionEventBus, words: string) => void;

const ACTIONS: Readonly<Record<string, Action>> = {
  say: ({ contextId }, bus, words) => {
    bus.publish(AgentEvent.message(textMessage(`You said: ${words}`, contextId)));
    bus.finished();
  },
  book: (context, bus) => {
    const { taskId, contextId } = context;
    begin(context, bus);
    bus.publish(artifact(taskId, contextId, "Booked ", false));
    bus.publish(artifact(taskId, contextId, "seat 12.", true));
    bus.publish(data(taskId, contextId));
    bus.publish(status(taskId, contextId, TaskState.TASK_STATE_COMPLETED));
    bus.finished();
  },
  ask: (context, bus) => {
    begin(context, bus);
    bus.publish(status(context.taskId, context.contextId, TaskState.TASK_STATE_INPUT_REQUIRED, "Which day?"));
    bus.finished();
  },
  fail: (context, bus) => {
    begin(context, bus);
    bus.publish(status(context.taskId, context.contextId, TaskState.TASK_STATE_FAILED, "No seats left."));
    bus.finished();
  },
  // A part of the answer is an artifact, and the question or the reason is the status.
  options: (context, bus) => {
    begin(context, bus);
    bus.publish(artifact(context.taskId, context.contextId, "Seats 12 and 14 are free.", false));
    bus.publish(status(context.taskId, context.contextId, TaskState.TASK_STATE_INPUT_REQUIRED, "Which one?"));
    bus.finished();
  },
  partly: (context, bus) => {
    begin(context, bus);
    bus.publish(artifact(context.taskId, context.contextId, "Booked the way out.", false));
    bus.publish(data(context.taskId, context.contextId));
    bus.publish(status(context.taskId, context.contextId, TaskState.TASK_STATE_FAILED, "No seats back."));
    bus.finished();
  },
  confirm: (context, bus) => {
    begin(context, bus);
    bus.publish(data(context.taskId, context.contextId));
    bus.publish(status(context.taskId, context.contextId, TaskState.TASK_STATE_COMPLETED, "Have a good journey."));
    bus.finished();
  },
  // Only files.
  photo: (context, bus) => {
    begin(context, bus);
    bus.publish(file(context.taskId, context.contextId, PNG, "seat.png", "image/png"));
    bus.publish(file(context.taskId, context.contextId, Buffer.from("%PDF-1.7"), "plan.pdf", "application/pdf"));
    bus.publish(file(context.taskId, context.contextId, Buffer.from("ID3"), "call.mp3", "audio/mpeg"));
    bus.publish(status(context.taskId, context.contextId, TaskState.TASK_STATE_COMPLETED));
    bus.finished();
  },
  // Works on for ever: only being called off ends it.
  wait: begin,
};

function begin({ taskId, contextId, task }: RequestContext, bus: ExecutionEventBus): void {
  bus.publish(AgentEvent.task(task ?? newTask(taskId, contextId)));
  bus.publish(status(taskId, contextId, TaskState.TASK_STATE_WORKING));
}

function newTask(id: string, contextId: string): Task {
  const submitted = { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: undefined };
  return { id, contextId, status: submitted, artifacts: [], history: [], metadata: undefined };
}

function status(taskId: string, contextId: string, state: TaskState, text?: string) {
  const message = text === undefined ? undefined : textMessage(text, contextId, taskId);
  return AgentEvent.statusUpdate({
    taskId,
    contextId,
    status: { state, message, timestamp: undefined },
    metadata: undefined,
  });
}

function artifact(taskId: string, contextId: string, text: string, append: boolean) {
  return AgentEvent.artifactUpdate({
    taskId,
    contextId,
    artifact: { artifactId: "ticket", name: "ticket", description: "", parts: [part(text)], metadata: undefined, extensions: [] },
    append,
    lastChunk: append,
    metadata: undefined,
  });
}

function data(taskId: string, contextId: string) {
  const parts = [
    { content: { $case: "data" as const, value: { seat: 12 } }, metadata: undefined, filename: "", mediaType: "" },
    {
      content: { $case: "url" as const, value: "https://travel.example/ticket.pdf" },
      metadata: undefined,
      filename: "ticket.pdf",
      mediaType: "application/pdf",
    },
  ];
  return AgentEvent.artifactUpdate({
    taskId,
    contextId,
    artifact: { artifactId: "data", name: "data", description: "", parts, metadata: undefined, extensions: [] },
    append: false,
    lastChunk: true,
    metadata: undefined,
  });
}

/** A picture of one point. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

function file(taskId: string, contextId: string, value: Buffer, filename: string, mediaType: string) {
  const parts = [{ content: { $case: "raw" as const, value }, metadata: undefined, filename, mediaType }];
  return AgentEvent.artifactUpdate({
    taskId,
    contextId,
    artifact: { artifactId: filename, name: filename, description: "", parts, metadata: undefined, extensions: [] },
    append: false,
    lastChunk: true,
    metadata: undefined,
  });
}

function textMessage(text: string, contextId: string, taskId = ""): Message {
  return {
    messageId: randomUUID(),
    contextId,
    taskId,
    role: Role.ROLE_AGENT,
    parts: [part(text)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function part(value: string) {
  return { content: { $case: "text" as const, value }, metadata: undefined, filename: "", mediaType: "text/plain" };
}

function textOf({ parts }: Message): string {
  return parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");
}
