import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { freePort } from "#testing";
import { type A2aAgent, startA2aAgent } from "../../src/tools/__fixtures__/a2a-agent.ts";
import { type AgentServer, APP, PARENT, startAgentServer } from "./agent-server.ts";

const DESK = `${PARENT}/apps/the-desk`;

let guide: AgentServer;
let travel: A2aAgent;
before(async () => {
  // The app City is at this server, whose port its own apps reach by name alone (WIRE-71).
  const port = await freePort();
  const config = { port, egressAllow: ["127.0.0.1", `127.0.0.1:${port}`] };
  [guide, travel] = await Promise.all([startAgentServer({ config }), startA2aAgent()]);
  const { send, server } = guide;
  await send("POST", `${PARENT}/apps?appId=the-desk`, {
    displayName: "Desk",
    variableDeclarations: ["town", "feeling", "place"].map((name) => ({
      name,
      description: "",
      schema: { type: "STRING" },
    })),
  });
  const remote = (displayName: string, url: string, more: object = {}) =>
    send("POST", `${DESK}/agents?agentId=the-${displayName.toLowerCase()}`, {
      displayName,
      description: `Knows of ${displayName}.`,
      remoteA2aAgent: { a2aConfig: { agentCard: cardOf(url), streamingEnabled: true, ...more } },
    });
  await remote("Travel", `${travel.origin}/rpc`);
  await remote("City", `${server.address}/a2a/${APP}`, {
    inputVariableMapping: { city: "town" },
    outputVariableMapping: { mood: "feeling" },
    contextId: "$context.variables.place",
  });
  await send("POST", `${DESK}/agents?agentId=the-front`, {
    displayName: "Front",
    instruction: "Welcomes.",
    childAgents: [`${DESK}/agents/the-travel`, `${DESK}/agents/the-city`],
  });
  await send("PATCH", `${DESK}?updateMask=rootAgent`, { rootAgent: `${DESK}/agents/the-front` });
});
after(async () => {
  await guide[Symbol.asyncDispose]();
  await travel[Symbol.asyncDispose]();
});

const cardOf = (url: string) => ({
  name: "Agent",
  description: "Elsewhere.",
  version: "1",
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  skills: [],
});

/** A conversation with one agent of the desk at its beginning. */
function talkTo(agent: string) {
  const session = `${DESK}/sessions/with-${agent}-${Math.random().toString(36).slice(2)}`;
  let begun = false;
  const requestOf = (text: string, variables?: object) => {
    const config = { session, ...(!begun && { entryAgent: `${DESK}/agents/the-${agent}` }) };
    begun = true;
    return { config, inputs: [...(variables ? [{ variables }] : []), { text }] };
  };
  return {
    session,
    say: (text: string, variables?: object) => guide.send("POST", `${session}:runSession`, requestOf(text, variables)),
    stream: async (text: string) => {
      const response = await fetch(`${guide.server.address}/v1beta/${session}:streamRunSession?alt=sse`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          ...requestOf(text),
          config: { session, entryAgent: `${DESK}/agents/the-${agent}`, enableTextStreaming: true },
        }),
      });
      return (await response.text()).split("\n").flatMap((line) => {
        if (!line.startsWith("data: ")) return [];
        const { outputs = [] } = JSON.parse(line.slice(6)) as { outputs?: { text?: string }[] };
        return outputs.flatMap(({ text }) => text ?? []);
      });
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
const textsOf = ({ outputs = [] }: any) => outputs.flatMap(({ text }: any) => text ?? []);

describe("an agent of an app that is elsewhere (TOOL-42)", () => {
  it("answers the user, and then its parent is active again", async () => {
    const { say, session } = talkTo("travel");
    const turn = await say("book a seat");
    assert.deepEqual(textsOf(turn), ["Booked seat 12."]);
    assert.deepEqual(
      turn.outputs.flatMap(({ payload }: { readonly payload?: object }) => payload ?? []),
      [
        { seat: 12 },
        {
          fileData: {
            mimeType: "application/pdf",
            displayName: "ticket.pdf",
            fileUri: "https://travel.example/ticket.pdf",
          },
        },
      ],
    );
    const span = turn.outputs
      .at(-1)
      .diagnosticInfo.rootSpan.childSpans.find(({ name }: { readonly name: string }) => name === "Remote agent");
    assert.deepEqual([span.attributes.agent, span.attributes.request], ["Travel", "book a seat"]);
    assert.deepEqual(textsOf(await say("say Welcome back.")), ["Welcome back."]);
    const { messages } = (await guide.send("GET", session.replace("/sessions/", "/conversations/"))).turns[0];
    assert.deepEqual(
      messages.map(({ role }: { readonly role: string }) => role),
      ["user", "Travel", "Travel"],
    );
  });

  it("keeps the session while it waits for input, in the same task", async () => {
    const { say } = talkTo("travel");
    assert.deepEqual(textsOf(await say("ask me")), ["Which day?"]);
    assert.deepEqual(textsOf(await say("book it on Monday")), ["Booked seat 12."]);
    const [first, second] = travel.got.slice(-2);
    assert.equal(second?.contextId, first?.contextId);
    assert.notEqual(second?.taskId, "");
  });

  it("streams its text as it comes", async () => {
    const texts = await talkTo("city").stream("say One two three.");
    assert.ok(texts.length > 1, JSON.stringify(texts));
    assert.equal(texts.join(""), "One two three.");
  });

  it("gets variables of the app, gives some back, and has the context that a variable names", async () => {
    const { say, session } = talkTo("city");
    const turn = await say('call set_mood {"mood": "glad"}', { town: "Bern", place: "a-place-of-its-own" });
    assert.match(textsOf(turn).join(""), /set_mood/);
    assert.match(guide.model.requests.at(-1)?.system ?? "", /The city is Bern/);
    const { messages } = (await guide.send("GET", session.replace("/sessions/", "/conversations/"))).turns[0];
    assert.match(JSON.stringify(messages), /"feeling":"glad"/);
    assert.ok(await guide.send("GET", `${APP}/conversations/a-place-of-its-own`));
  });

  it("that answers with files only has them as outputs: images, and payloads in the form of Gemini's parts (A2A-23)", async () => {
    const { say } = talkTo("travel");
    const { outputs } = await say("photo");
    // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
    const seen = outputs.flatMap(({ image, payload, audio, text }: any) => {
      assert.deepEqual([audio, text], [undefined, undefined]);
      return image ? [image.mimeType] : payload ? [payload.inlineData] : [];
    });
    const data = (bytes: string) => Buffer.from(bytes).toString("base64");
    assert.deepEqual(seen, [
      "image/png",
      { mimeType: "application/pdf", data: data("%PDF-1.7") },
      { mimeType: "audio/mpeg", displayName: "call.mp3", data: data("ID3") },
    ]);
  });

  it("that fails is told as every model's failure is", async () => {
    const { session } = talkTo("travel");
    const response = await fetch(`${guide.server.address}/v1beta/${session}:runSession`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        config: { session, entryAgent: `${DESK}/agents/the-travel` },
        inputs: [{ text: "fail" }],
      }),
    });
    const { error } = (await response.json()) as { error: { status: string; message: string; details: object[] } };
    assert.equal(error.status, "UNAVAILABLE");
    assert.match(error.message, /^Calling remote agent 'Travel' failed: the task failed: No seats left\./);
    assert.match(JSON.stringify(error.details), /REMOTE_AGENT_FAILED/);
  });

  it("says what is wrong with its address", async () => {
    const { agentCard } = { agentCard: cardOf("not an address") };
    const problemsOf = async (agentId: string, a2aConfig: object) =>
      (
        await guide.send("POST", `${DESK}/agents?agentId=${agentId}`, {
          displayName: agentId,
          remoteA2aAgent: { a2aConfig },
        })
      ).validationErrors;
    const field = "remote_a2a_agent.a2a_config";
    assert.deepEqual(await problemsOf("wrong-address", { agentCard }), [
      `${field}.agent_card.supported_interfaces[0].url: 'not an address' is not an absolute http or https URL.`,
    ]);
    const agentRegistry = "projects/p/locations/us/agents/a";
    const [registry] = await problemsOf("in-a-registry", { agentRegistry });
    assert.match(registry, /^remote_a2a_agent\.a2a_config\.agent_registry: .*agent_card/);
  });

  it("goes into packages and comes back", async () => {
    const exported = await guide.send("POST", `${DESK}:exportApp`, { exportFormat: "JSON" });
    await guide.send("POST", `${PARENT}/apps:importApp`, {
      appId: "the-copy",
      appContent: exported.response.appContent,
    });
    const { agents } = await guide.send("GET", `${PARENT}/apps/the-copy/agents`);
    const find = (name: string) =>
      agents.find(({ displayName }: { readonly displayName: string }) => displayName === name);
    const { remoteA2aAgent } = await guide.send("GET", `${DESK}/agents/the-city`);
    assert.deepEqual(find("City").remoteA2aAgent, remoteA2aAgent);
  });
});
