import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe } from "node:test";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { AgentService, BatchDeleteConversationsResponseSchema } from "@frontdesk/protos/ces/agent_service";
import { type RunSessionResponse, SessionService } from "@frontdesk/protos/ces/session_service";
import { startTestServer, type TestServer } from "#testing";
import { verifies, type Wire } from "./verifies.ts";

const APP = "projects/local/locations/us/apps/order-desk";

let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true });
});
after(() => server[Symbol.asyncDispose]());
const address = () => server.address;

const newSession = () => `${APP}/sessions/${randomUUID()}`;
const conversationOf = (session: string) => session.replace("/sessions/", "/conversations/");
const say = (session: string, text: string, more: object = {}) => ({
  config: { session, ...more },
  inputs: [{ inputType: { case: "text" as const, value: text } }],
});

/** All text of some responses. */
const textOf = (responses: readonly RunSessionResponse[]) =>
  responses
    .flatMap(({ outputs }) => outputs.map(({ outputType }) => (outputType.case === "text" ? outputType.value : "")))
    .join("");

async function errorOf(call: () => Promise<unknown>): Promise<ConnectError> {
  try {
    await call();
  } catch (error) {
    return ConnectError.from(error);
  }
  return assert.fail("the call did not fail");
}

const ask = (wire: Wire, session: string, text: string) => wire.client(SessionService).runSession(say(session, text));

describe("sessions", () => {
  verifies("run-answers", address, async (wire) => {
    const response = await ask(wire, newSession(), "Where is my order A-1001?");
    assert.match(textOf([response]), /A-1001/);
    assert.deepEqual([response.outputs.at(-1)?.turnCompleted, response.outputs.at(-1)?.turnIndex], [true, 1]);
  });

  verifies("run-diagnostics", address, async (wire) => {
    const { outputs } = await ask(wire, newSession(), "Where is my order A-1001?");
    const { diagnosticInfo } = outputs.at(-1) ?? assert.fail("no output");
    assert.equal(diagnosticInfo?.messages[0]?.role, "user");
    const names = new Set(
      (function spans(span: { name: string; childSpans: readonly never[] } | undefined): string[] {
        return span ? [span.name, ...span.childSpans.flatMap(spans)] : [];
      })(diagnosticInfo?.rootSpan as never),
    );
    for (const name of ["LLM", "Tool", "Callback", "Guardrail"])
      assert.ok(names.has(name), `a ${name} span among ${[...names]}`);
  });

  verifies("run-exclude-diagnostics", address, async (wire) => {
    const { outputs } = await wire
      .client(SessionService)
      .runSession(say(newSession(), "hello", { excludeDiagnosticInfo: true }));
    assert.deepEqual(
      outputs.map(({ diagnosticInfo }) => diagnosticInfo),
      outputs.map(() => undefined),
    );
  });

  verifies("run-continues", address, async (wire) => {
    const session = newSession();
    await ask(wire, session, "hello");
    const { outputs } = await ask(wire, session, "Where is my order A-1001?");
    assert.equal(outputs.at(-1)?.turnIndex, 2);
  });

  verifies("run-bad-session", address, async (wire) => {
    const error = await errorOf(() => ask(wire, `${APP}/sessions/abc`, "hello"));
    assert.equal(error.code, Code.InvalidArgument);
    assert.match(error.rawMessage, /config\.session/);
  });

  verifies("run-unknown-app", address, async (wire) => {
    const error = await errorOf(() =>
      ask(wire, `projects/local/locations/us/apps/nowhere/sessions/${randomUUID()}`, "hello"),
    );
    assert.equal(error.code, Code.NotFound);
  });

  verifies("stream-whole", address, async (wire) => {
    const responses = await Array.fromAsync(
      wire.client(SessionService).streamRunSession(say(newSession(), "Where is my order A-1001?")),
    );
    assert.match(textOf(responses), /A-1001/);
    assert.equal(responses.at(-1)?.outputs.at(-1)?.turnCompleted, true);
  });

  verifies("stream-deltas", address, async (wire) => {
    const streamed = await Array.fromAsync(
      wire
        .client(SessionService)
        .streamRunSession(say(newSession(), "Where is my order A-1001?", { enableTextStreaming: true })),
    );
    const whole = await ask(wire, newSession(), "Where is my order A-1001?");
    assert.equal(textOf(streamed), textOf([whole]));
    const pieces = streamed.flatMap(({ outputs }) => outputs.filter(({ outputType }) => outputType.case === "text"));
    assert.ok(pieces.length > 3, `${pieces.length} pieces`);
  });

  verifies("stream-refused", address, async (wire) => {
    const error = await errorOf(() =>
      Array.fromAsync(wire.client(SessionService).streamRunSession(say(`${APP}/sessions/abc`, "hello"))),
    );
    assert.equal(error.code, Code.InvalidArgument);
  });

  verifies("conversation-complete", address, async (wire) => {
    const session = newSession();
    await ask(wire, session, "Where is my order A-1001?");
    const { outputs } = await ask(wire, session, "I want to talk to a human");
    assert.ok(outputs.some(({ outputType }) => outputType.case === "endSession"));
    const conversation = await wire.client(AgentService).getConversation({ name: conversationOf(session) });
    assert.deepEqual([conversation.turnCount, conversation.turns.length], [2, 2]);
    for (const turn of conversation.turns)
      assert.ok(turn.messages.length > 1 && turn.rootSpan?.startTime && turn.rootSpan.duration);
  });

  verifies("conversation-list", address, async (wire) => {
    const word = `marker${randomUUID().replaceAll("-", "").slice(0, 10)}`;
    const [first, second] = [newSession(), newSession()];
    await ask(wire, first, `hello ${word}`);
    await ask(wire, second, `hello again ${word}`);
    const { conversations } = await wire
      .client(AgentService)
      .listConversations({ parent: APP, filter: `ces_transcript.search("${word}")` });
    assert.deepEqual(
      conversations.map(({ name }) => name),
      [conversationOf(second), conversationOf(first)],
    );
  });

  verifies("conversation-delete", address, async (wire) => {
    const session = newSession();
    const name = conversationOf(session);
    await ask(wire, session, "hello");
    await wire.client(AgentService).deleteConversation({ name });
    assert.equal((await errorOf(() => wire.client(AgentService).getConversation({ name }))).code, Code.NotFound);
  });

  verifies("conversation-batch-delete", address, async (wire) => {
    const session = newSession();
    await ask(wire, session, "hello");
    const missing = `${APP}/conversations/${randomUUID()}`;
    const operation = await wire
      .client(AgentService)
      .batchDeleteConversations({ parent: APP, conversations: [conversationOf(session), missing] });
    const result =
      operation.result.case === "response"
        ? anyUnpack(operation.result.value, BatchDeleteConversationsResponseSchema)
        : undefined;
    assert.deepEqual(
      [result?.deletedConversations, result?.failedConversations],
      [[conversationOf(session)], [missing]],
    );
  });
});
