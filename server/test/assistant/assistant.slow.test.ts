import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { unavailable } from "#status";
import { call, say, startTestServer, type TestServer } from "#testing";
import { emptyApp } from "../generation/generate.ts";
import { type Rest, restOf } from "../rest.ts";
import { AssistantModel, addsClerk } from "./assistant-model.ts";

const model = new AssistantModel();
let server: TestServer;
let rest: Rest;
let app: string;
before(async () => {
  server = await startTestServer({ model });
  rest = restOf(() => server);
  app = await emptyApp(server, "the-desk");
});
after(() => server[Symbol.asyncDispose]());

const TALK = say("It has no agent yet.");

// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
type Event = any;

async function newSession(): Promise<string> {
  return (await rest("POST", `${app}/assistantSessions`, {})).name;
}

/** The events of a stream; rejects with the error of the first answer. */
async function stream(session: string, request: object): Promise<readonly Event[]> {
  return eventsOf(`${session}:streamChatAiAssistant`, request);
}

async function eventsOf(path: string, request: object): Promise<readonly Event[]> {
  const response = await fetch(`${server.address}/v1beta/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  const json = JSON.parse(await response.text());
  if (!response.ok) throw new Error(JSON.stringify(json));
  return json;
}

const kinds = (events: readonly Event[]) =>
  events.map((event) => Object.keys(event).find((key) => key in NAMES) ?? "?");
const NAMES = {
  status: 1,
  textChunk: 1,
  artifactChunk: 1,
  confirmationRequest: 1,
  sessionCheckpoint: 1,
  turnCompleted: 1,
  resumeSnapshot: 1,
};
const find = (events: readonly Event[], kind: string) => events.find((event) => kind in event)?.[kind];
const CARDS = { clientCapabilities: ["CONFIRMATION_CARDS"] };

describe("a conversation with the assistant", () => {
  it("about an app changes nothing, and is stored (ASST-2)", async () => {
    const session = await newSession();
    model.answers = [TALK];
    const events = await stream(session, { message: "What is there?" });
    assert.equal(find(events, "textChunk"), "It has no agent yet.");
    assert.deepEqual(
      events.map(({ sequenceNumber }) => Number(sequenceNumber)),
      events.map((_, position) => position + 1),
    );
    const { reason, finalSequenceNumber } = events.at(-1).turnCompleted;
    assert.deepEqual([reason, Number(finalSequenceNumber)], ["COMPLETED", events.length]);
    const stored = await rest("GET", session);
    assert.deepEqual(
      stored.messages.map(({ role, chunks }: Event) => [role, chunks[0].text]),
      [
        ["user", "What is there?"],
        ["model", "It has no agent yet."],
      ],
    );
    assert.deepEqual([stored.state, stored.activeTurn, stored.displayName], ["IDLE", undefined, "What is there?"]);
    model.answers = [TALK];
    await stream(session, { message: "And now?" });
    const texts = model.asked[0]?.messages.flatMap(({ parts }) =>
      parts.map((part) => ("text" in part ? part.text : "")),
    );
    const said = texts?.filter((text) => !text.startsWith("<state_update>"));
    assert.deepEqual(said, ["What is there?", "It has no agent yet.", "And now?"]);
  });

  it("proposes a change, which is stored when a person confirms it, behind a version to go back to (ASST-3)", async () => {
    const session = await newSession();
    model.answers = addsClerk(app);
    const asked = await stream(session, { message: "Add a clerk.", ...CARDS });
    assert.deepEqual(
      kinds(asked).filter((kind) => kind !== "status"),
      ["textChunk", ...Array(3).fill("artifactChunk"), "confirmationRequest", "sessionCheckpoint", "turnCompleted"],
    );
    assert.equal(asked.at(-1).turnCompleted.reason, "AWAITING_CONFIRMATION");
    const diff = asked.map(({ artifactChunk }) => artifactChunk?.contentDelta ?? "").join("");
    assert.match(diff, /\+<role>You are the clerk\.<\/role>/);
    const { confirmationId, context } = find(asked, "confirmationRequest");
    assert.match(context, /adds the agent 'Clerk'/);
    assert.doesNotMatch(context + diff, /etag/);
    assert.deepEqual(await rest("GET", `${app}/agents`), {});
    assert.equal((await rest("GET", session)).state, "AWAITING_CONFIRMATION");

    const done = await stream(session, { confirmationResponse: { confirmationId, confirmed: true }, ...CARDS });
    assert.equal(done.at(-1).turnCompleted.reason, "COMPLETED");
    assert.equal((await rest("GET", `${app}/agents`)).agents[0].displayName, "Clerk");
    const [version] = (await rest("GET", `${app}/versions`)).appVersions;
    assert.ok(find(done, "textChunk").includes(version.name));
    await rest("POST", `${version.name}:restore`, {});
    assert.deepEqual(await rest("GET", `${app}/agents`), {});
    await assert.rejects(stream(session, { confirmationResponse: { confirmationId, confirmed: true } }), /expired/);
  });

  it("leaves the app alone when a person declines, or somebody changed it meanwhile (ASST-3)", async () => {
    const session = await newSession();
    const propose = async () => {
      model.answers = addsClerk(app);
      return find(await stream(session, { message: "Add a clerk.", ...CARDS }), "confirmationRequest").confirmationId;
    };
    const declined = await stream(session, { confirmationResponse: { confirmationId: await propose() } });
    assert.equal(find(declined, "textChunk"), "Nothing was changed.");
    const confirmationId = await propose();
    await rest("PATCH", `${app}?updateMask=description`, { description: `Changed ${confirmationId}.` });
    const late = await stream(session, { confirmationResponse: { confirmationId, confirmed: true } });
    assert.equal(late.at(-1).turnCompleted.reason, "FAILED");
    assert.match(late.find(({ status }) => status?.code)?.status.message, /was changed after/);
    assert.deepEqual(await rest("GET", `${app}/agents`), {});
    assert.equal((await rest("GET", session)).state, "IDLE");
  });

  it("by clients without cards is confirmed with the word 'apply' (ASST-4)", async () => {
    const session = await newSession();
    const run = (text: string) =>
      rest("POST", `${app}:runAssistant`, {
        assistantSession: session,
        message: { role: "user", chunks: [{ text }], eventTime: "2026-01-01T00:00:00Z" },
      });
    model.answers = addsClerk(app);
    const { output, state } = await run("Add a clerk.");
    assert.deepEqual([state, output.userResponseSuggestions.suggestions], ["AWAITING_CONFIRMATION", ["Add a tool."]]);
    assert.equal(output.message.chunks[1].typedPayload.type, "proposal");
    assert.equal((await run("Apply")).state, "IDLE");
    assert.equal((await rest("GET", `${app}/agents`)).agents.length, 1);
    await rest("PATCH", `${app}?updateMask=rootAgent`, { rootAgent: "" });
    const chat = (message: string) => eventsOf(`${app}:chatAiAssistant`, { assistantSession: session, message });
    const gone = [call("frontdesk_delete_agent", { name: `${app}/agents/clerk` }), say("Gone.")];
    // An app without an agent has errors, which are asked about again.
    model.answers = [...gone, ...Array(5).fill(say("Gone."))];
    const texts = (await chat("Remove the clerk.")).map(({ textChunk = "" }) => textChunk).join("");
    assert.match(texts, /removes the agent 'Clerk'[\s\S]*Answer 'apply'/);
    await rest("PATCH", `${app}?updateMask=description`, { description: "Changed again." });
    await assert.rejects(run("apply"), /was changed after/);
  });

  it("goes on without its client, can be followed from anywhere, and ends when it is cancelled (ASST-5)", async () => {
    const session = await newSession();
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const answering = async () => {
      asked.resolve();
      await gate.promise;
      return TALK;
    };
    model.answers = [answering];
    const first = stream(session, { message: "Wait." });
    await asked.promise;
    const { activeTurn, state } = await rest("GET", session);
    assert.equal(state, "RUNNING");
    await assert.rejects(stream(session, { message: "Me too." }), /ASSISTANT_TURN_RUNNING/);
    const attached = stream(session, { attachOnly: true });
    gate.resolve();
    const [followed, own] = await Promise.all([attached, first]);
    assert.equal(followed[0].resumeSnapshot.turnId, activeTurn.turnId);
    assert.deepEqual(followed.at(-1).turnCompleted, own.at(-1).turnCompleted);
    assert.equal(
      find([...(followed[0].resumeSnapshot.events ?? []), ...followed], "textChunk"),
      "It has no agent yet.",
    );
    const again = await stream(session, { attachOnly: true });
    assert.deepEqual(kinds(again), ["resumeSnapshot", "turnCompleted"]);
    assert.equal(find(again[0].resumeSnapshot.events, "textChunk"), "It has no agent yet.");

    const waiting = Promise.withResolvers<void>();
    model.answers = [
      (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          waiting.resolve();
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        }),
    ];
    const stopped = stream(session, { message: "For ever." });
    await waiting.promise;
    assert.deepEqual(await rest("POST", `${session}:cancelAssistantTurn`, { turnId: "another" }), {});
    assert.deepEqual(await rest("POST", `${session}:cancelAssistantTurn`, {}), { cancelled: true });
    assert.equal((await stopped).at(-1).turnCompleted.reason, "CANCELLED");
    assert.equal((await rest("GET", session)).messages.length, 2);
  });

  it("ends in a told refusal when the model fails, and changes nothing", async () => {
    const session = await newSession();
    model.answers = [unavailable("The model is out of order.")];
    const events = await stream(session, { message: "Add a clerk." });
    assert.equal(events.at(-1).turnCompleted.reason, "FAILED");
    assert.match(events.find(({ status }) => status?.code)?.status.message, /out of order/);
    assert.equal((await rest("GET", session)).messages, undefined);
  });
});

describe("what the assistant calls", () => {
  it("is refused beyond its own tools and a copy of the app (ASST-7)", async () => {
    const other = await emptyApp(server, "another-desk");
    const session = await newSession();
    model.answers = [
      [
        ...call("frontdesk_get_app", { name: other }, "call-1"),
        ...call("frontdesk_delete_app", { name: app }, "call-2"),
        ...call("run_session", {}, "call-3"),
      ],
      say("I may not."),
    ];
    const events = await stream(session, { message: "Delete everything.", ...CARDS });
    assert.equal(find(events, "confirmationRequest"), undefined);
    const answers = model.asked[1]?.messages.at(-1)?.parts.map((part) => JSON.stringify(part)) ?? [];
    assert.match(answers[0] ?? "", /another-desk.*not found|not found.*another-desk|does not exist/i);
    for (const answer of answers.slice(1)) assert.match(answer, /Tool not found/);
    assert.equal((await rest("GET", app)).name, app);
  });

  it("asks questions with answers to choose from", async () => {
    const session = await newSession();
    const options = [{ title: "Phone", text: "By phone." }];
    model.answers = [call("ask_person", { question: "How do people reach you?", options }), say("Tell me first.")];
    const events = await stream(session, { message: "Build it." });
    assert.deepEqual(find(events, "optionQuestionsChunk").questions, [
      { question: "How do people reach you?", options: [{ title: "Phone", submitText: "By phone." }] },
    ]);
  });
});

describe("an assistant session", () => {
  it("is created with an id and messages, listed and deleted", async () => {
    const messages = [{ role: "user", chunks: [{ text: "Hello." }], eventTime: "2026-01-01T00:00:00Z" }];
    const created = await rest("POST", `${app}/assistantSessions?assistantSessionId=my-session`, {
      assistantSessionMessages: messages,
    });
    assert.equal(created.name, `${app}/assistantSessions/my-session`);
    const { assistantSessions } = await rest("GET", `${app}/assistantSessions`);
    assert.equal(assistantSessions[0].name, created.name);
    await rest("DELETE", created.name);
    await assert.rejects(rest("GET", created.name), /404|not found/i);
  });

  it("is refused with all that is wrong", async () => {
    const refusals: readonly (readonly [string, string, object, RegExp])[] = [
      ["POST", `${app}/assistantSessions?assistantSessionId=a`, {}, /assistant_session_id/],
      [
        "POST",
        `${app}/assistantSessions`,
        { assistantSessionMessages: [{ role: "boss", eventTime: "2026-01-01T00:00:00Z" }] },
        /messages\[0\]\.role/,
      ],
      ["POST", `${app.replace("the-desk", "no-desk")}/assistantSessions`, {}, /NOT_FOUND/],
      [
        "POST",
        `${app}:runAssistant`,
        { assistantSession: "projects/p", message: { role: "user", eventTime: "2026-01-01T00:00:00Z" } },
        /assistant_session/,
      ],
    ];
    for (const [method, path, body, message] of refusals) await assert.rejects(rest(method, path, body), message, path);
    const session = await newSession();
    await assert.rejects(stream(session, {}), /Send a message/);
    await assert.rejects(stream(session, { message: "x".repeat(100_001) }), /100001 characters/);
    await assert.rejects(
      stream(session, { message: "Read.", attachedGcsUris: ["file:///etc/passwd"] }),
      /attached_gcs_uris/,
    );
    await assert.rejects(stream(`${session}x`, { message: "Hello." }), /NOT_FOUND/);
  });
});

describe("suggestions to begin with (ASST-6)", () => {
  it("follow from what the app has", async () => {
    const empty = await emptyApp(server, "an-empty-app");
    const { suggestions, userProfile } = await rest("POST", `${empty}:generateOnboardingSuggestions`, {});
    assert.deepEqual([suggestions[0].candidateType, userProfile], ["create-app", "NEW_USER"]);
    assert.ok(suggestions[0].seedPrompt);
    const known = await rest("POST", `${app}:generateOnboardingSuggestions`, { maxSuggestions: 1 });
    assert.equal(known.suggestions.length, 1);
    assert.equal(known.userProfile, "RETURNING_USER");
    assert.ok(known.suggestions[0].loadSession.assistantSessionId);
  });
});

describe("without a language model", () => {
  it("every turn and suggestion says what to set", async () => {
    await using plain = await startTestServer();
    const call = restOf(() => plain);
    const name = await emptyApp(plain, "the-desk");
    const { name: session } = await call("POST", `${name}/assistantSessions`, {});
    for (const [path, body] of [
      [`${session}:streamChatAiAssistant`, { message: "Hello." }],
      [`${name}:chatAiAssistant`, { assistantSession: session, message: "Hello." }],
      [`${name}:generateOnboardingSuggestions`, {}],
    ] as const)
      await assert.rejects(call("POST", path, body), /GEMINI_API_KEY[\s\S]*FAILED_PRECONDITION/);
  });
});
