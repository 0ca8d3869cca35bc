import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, fromBinary, toBinary, toJsonString } from "@bufbuild/protobuf";
import { ListConversationsRequestSchema } from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { Conversation_TurnSchema, ConversationSchema } from "@frontdesk/protos/ces/conversation";
import { createBuiltinRedaction, createConversations, createRetention } from "#session";
import { Code, ConnectError } from "#status";
import type { Storage } from "#storage";
import { type AppSketch, call, ScriptedModel, say, TEST_APP, type TestSession, testSession } from "#testing/engine";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NAME = `${TEST_APP}/conversations/session-1`;

type Settings = NonNullable<NonNullable<AppSketch["app"]>["loggingSettings"]>;

const UNLOGGED: Settings = { conversationLoggingSettings: { disableConversationLogging: true } };
const REDACTED: Settings = { redactionConfig: { enableRedaction: true } };

/** A session with a clock that does not advance, and the job over its store. */
async function keptSession(loggingSettings: Settings, model: ScriptedModel, more: Partial<AppSketch> = {}) {
  const clock = { time: 1_000 * DAY, now: () => clock.time };
  const session = await testSession({
    model,
    agents: { Desk: {} },
    ...more,
    app: { loggingSettings },
    engine: { clock },
  });
  await putApp(session.storage, loggingSettings);
  const pass = async (afterMs: number) => {
    clock.time += afterMs;
    const { resources, conversations } = session.storage;
    const retention = createRetention({ resources, conversations, redaction: createBuiltinRedaction(), clock });
    return retention.pass(new AbortController().signal);
  };
  return { session, clock, pass };
}

async function putApp({ resources }: Storage, loggingSettings: Settings): Promise<void> {
  const body = toBinary(AppSchema, create(AppSchema, { name: TEST_APP, loggingSettings }));
  const row = {
    name: TEST_APP,
    type: "ces.googleapis.com/App",
    parent: "projects/p/locations/us",
    displayName: "Test",
  };
  await resources.write([{ kind: "put", row: { ...row, createTime: 1, updateTime: 1, etag: "1", body } }]);
}

/** The conversation as the API shows it, as JSON; "hidden" when it shows none. */
async function shown({ storage }: TestSession): Promise<string> {
  const conversations = createConversations(storage.conversations);
  const { conversations: listed = [] } = await conversations.list(
    create(ListConversationsRequestSchema, { parent: TEST_APP }),
  );
  try {
    const whole = toJsonString(ConversationSchema, await conversations.get(NAME));
    assert.deepEqual(listed.length, 1);
    return whole;
  } catch (error) {
    assert.ok(error instanceof ConnectError && error.code === Code.NotFound);
    assert.deepEqual(listed, []);
    return "hidden";
  }
}

const lastPrompt = (model: ScriptedModel) => JSON.stringify(model.requests.at(-1)?.messages);

describe("a conversation whose app logs none", () => {
  it("continues after a restart, is never shown, and is deleted a day after its last turn", async () => {
    const model = new ScriptedModel(say("Hello Ann"), say("Ann"), say("again"));
    const { session, pass } = await keptSession(UNLOGGED, model);
    await using _ = session;
    await session.send("I am Ann");
    await session.restart();
    await session.send("Who am I?");
    assert.match(lastPrompt(model), /I am Ann/);
    assert.equal(await shown(session), "hidden");
    assert.deepEqual(await pass(DAY - 1), { expired: 0, forgotten: 0, redacted: 0 });
    assert.deepEqual(await pass(1), { expired: 0, forgotten: 1, redacted: 0 });
    assert.equal(await session.storage.conversations.getHead(NAME), undefined);
    await session.send("Who am I?");
    assert.doesNotMatch(lastPrompt(model), /Ann/);
  });

  it("has neither a trace nor search terms until then", async () => {
    const { session } = await keptSession(UNLOGGED, new ScriptedModel(say("Hello")));
    await using _ = session;
    await session.send("I am Ann");
    const [row] = await session.storage.conversations.getTurns(NAME);
    const stored = row && fromBinary(Conversation_TurnSchema, row.body);
    assert.deepEqual([row?.text, stored?.rootSpan, stored?.messages.length], ["", undefined, 2]);
  });

  it("is forgotten at the next pass when its session has ended", async () => {
    const { session, pass } = await keptSession(UNLOGGED, new ScriptedModel([...say("Bye"), ...call("end_session")]), {
      agents: { Desk: { tools: ["end_session"] } },
    });
    await using _ = session;
    await session.send("That is all");
    assert.deepEqual(await pass(0), { expired: 0, forgotten: 1, redacted: 0 });
  });
});

describe("a conversation whose app redacts", () => {
  const model = () => new ScriptedModel(say("I write to ann@mail.example"), say("done"));

  it("is stored without personal data, in messages, trace and search, while client and model go on with it", async () => {
    const script = model();
    const { session } = await keptSession(REDACTED, script);
    await using _ = session;
    const outputs = await session.send("Write to ann@mail.example", {
      config: { historicalContexts: [old("bob@mail.example")] },
    });
    assert.deepEqual(outputs[0]?.outputType, { case: "text", value: "I write to ann@mail.example" });
    await session.send("And now?");
    assert.match(lastPrompt(script), /bob@mail\.example.*ann@mail\.example/);
    assert.doesNotMatch(await shown(session), /mail\.example/);
    assert.match(await shown(session), /I write to \[EMAIL_ADDRESS\]/);
    const rows = await session.storage.conversations.getTurns(NAME);
    assert.doesNotMatch(rows.map(({ text, extra }) => text + extra).join(), /mail\.example/);
  });

  it("shows the model placeholders after a restart", async () => {
    const script = model();
    const { session } = await keptSession(REDACTED, script);
    await using _ = session;
    await session.send("Write to ann@mail.example");
    await session.restart();
    await session.send("And now?");
    assert.match(lastPrompt(script), /Write to \[EMAIL_ADDRESS\].*I write to \[EMAIL_ADDRESS\]/);
  });

  it("keeps variables as they are for a day of rest, then redacts them once", async () => {
    const variables = { mail: "none" };
    const { session, pass } = await keptSession(REDACTED, model(), { variables });
    await using _ = session;
    await session.send([
      { case: "variables", value: { mail: "ann@mail.example" } },
      { case: "text", value: "Hello" },
    ]);
    const state = async () => (await session.storage.conversations.getHead(NAME))?.state ?? "";
    assert.deepEqual(await pass(DAY - 1), { expired: 0, forgotten: 0, redacted: 0 });
    assert.match(await state(), /ann@mail\.example/);
    assert.deepEqual(await pass(1), { expired: 0, forgotten: 0, redacted: 1 });
    assert.match(await state(), /"mail":"\[EMAIL_ADDRESS\]"/);
    assert.deepEqual(await pass(DAY), { expired: 0, forgotten: 0, redacted: 0 });
    await session.send("And now?");
  });
});

describe("the retention of conversations", () => {
  it("is 365 days from the last turn when the app does not set it", async () => {
    const { session, pass } = await keptSession({}, new ScriptedModel(say("Hello")));
    await using _ = session;
    await session.send("Hi");
    assert.deepEqual(await pass(365 * DAY), { expired: 0, forgotten: 0, redacted: 0 });
    assert.deepEqual(await pass(1), { expired: 1, forgotten: 0, redacted: 0 });
    assert.equal(await shown(session), "hidden");
  });

  it("is the app's window, also for conversations that are older than a change of it", async () => {
    const { session, pass } = await keptSession({}, new ScriptedModel(say("Hello")));
    await using _ = session;
    await session.send("Hi");
    await putApp(session.storage, { conversationLoggingSettings: { retentionWindow: { seconds: 3_600n } } });
    assert.deepEqual(await pass(HOUR), { expired: 0, forgotten: 0, redacted: 0 });
    assert.deepEqual(await pass(1), { expired: 1, forgotten: 0, redacted: 0 });
  });

  it("removes any number of conversations in one pass, and stops when its signal aborts", async () => {
    const { session, clock, pass } = await keptSession({}, new ScriptedModel(say("Hello")));
    await using _ = session;
    await session.send("Hi");
    const head = await session.storage.conversations.getHead(NAME);
    const turn = { index: 1, body: new Uint8Array(), extra: "", text: "" };
    assert.ok(head);
    await Promise.all(
      Array.from({ length: 249 }, (_each, at) =>
        session.storage.conversations.appendTurn({ ...head, name: `${NAME}${at}` }, turn),
      ),
    );
    clock.time += 366 * DAY;
    const { resources, conversations } = session.storage;
    const retention = createRetention({ resources, conversations, redaction: createBuiltinRedaction(), clock });
    assert.deepEqual(await retention.pass(AbortSignal.abort()), { expired: 0, forgotten: 0, redacted: 0 });
    assert.deepEqual(await pass(0), { expired: 250, forgotten: 0, redacted: 0 });
  });
});

function old(text: string) {
  return { role: "user", chunks: [{ data: { case: "text" as const, value: text } }] };
}
