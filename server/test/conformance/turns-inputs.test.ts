import assert from "node:assert/strict";
import { describe } from "node:test";
import { unavailable } from "#status";
import { say } from "#testing";
import type { Json } from "./received-turn.ts";
import { turnServer } from "./verifies-turn.ts";

const verifiesTurn = turnServer();

const PLAIN = { agents: { Root: {} } };
const variable = (name: string, value?: unknown) => ({
  name,
  description: "",
  schema: { type: "STRING", ...(value !== undefined && { default: value }) },
});
/** Texts of the user in a request, in order. */
const sentTexts = (request: { readonly messages: readonly Json[] } | undefined) =>
  request?.messages.filter(({ role }) => role === "user").flatMap(({ parts }) => parts.map(({ text }: Json) => text));
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("turns: inputs", () => {
  verifiesTurn("turn-event", {
    app: PLAIN,
    model: [say("Are you there?")],
    talk: async ({ say: ask, model }) => {
      await ask([{ event: { event: "sys.no-input" } }]);
      assert.deepEqual(sentTexts(model.requests[0]), ["<event>sys.no-input</event>"]);
    },
  });

  verifiesTurn("turn-event-extra-key", {
    app: PLAIN,
    model: [say("Hello.")],
    talk: async ({ say: ask }) => {
      assert.deepEqual((await ask([{ event: { event: "any", variables: { a: 1 } } }])).texts, ["Hello."]);
    },
  });

  verifiesTurn("turn-dtmf", {
    app: PLAIN,
    model: [say("Thank you.")],
    talk: async ({ say: ask, model }) => {
      await ask([{ dtmf: "123#" }]);
      assert.deepEqual(sentTexts(model.requests[0]), ["<context>user pressed 123 on keypad.</context>"]);
    },
  });

  verifiesTurn("turn-image", {
    app: PLAIN,
    model: [say("A dot.")],
    talk: async ({ say: ask, model }) => {
      await ask([{ image: { mimeType: "image/png", data: PIXEL } }]);
      const [part] = model.requests[0]?.messages[0]?.parts ?? [];
      assert.deepEqual(part?.kind === "blob" && [part.mimeType, Buffer.from(part.data).toString("base64")], [
        "image/png",
        PIXEL,
      ]);
    },
  });

  verifiesTurn("turn-snake-case", {
    app: PLAIN,
    model: [say("A dot.")],
    talk: async ({ say: ask }) => {
      assert.deepEqual((await ask([{ image: { mime_type: "image/png", data: PIXEL } }])).texts, ["A dot."]);
    },
  });

  verifiesTurn("turn-variables", {
    app: {
      agents: { Root: { instruction: "You serve {{name}}, not {{unknown}}." } },
      app: { variableDeclarations: [variable("name", "nobody")] },
    },
    model: [say("Hello Ada.")],
    talk: async ({ say: ask, model }) => {
      const turn = await ask([{ variables: { name: "Ada", unknown: "x" } }, { text: "Hello" }]);
      assert.deepEqual([turn.texts, turn.outputs.at(-1)?.turnIndex], [["Hello Ada."], 1]);
      assert.equal(model.requests[0]?.system, "You serve Ada, not {{unknown}}.");
    },
  });

  verifiesTurn("turn-variable-chunks", {
    app: { ...PLAIN, app: { variableDeclarations: [variable("name", "nobody")] } },
    model: [say("Hello."), say("Again.")],
    talk: async ({ say: ask }) => {
      const chunks = (turn: Awaited<ReturnType<typeof ask>>) =>
        turn.messages().flatMap((message) => message.chunks.filter(({ text }: Json) => text === undefined) as Json[]);
      assert.deepEqual(chunks(await ask("Hello")), [{ defaultVariables: { name: "nobody" } }]);
      assert.deepEqual(chunks(await ask([{ variables: { name: "Ada" } }, { text: "It is me" }])), [
        { updatedVariables: { name: "Ada" } },
      ]);
    },
  });

  verifiesTurn("turn-dynamic-variable", {
    app: {
      agents: { Root: { instruction: "The user's name is {name}." } },
      app: { variableDeclarations: [variable("name", "nobody")] },
    },
    model: [say("Hello.")],
    talk: async ({ say: ask, model }) => {
      await ask([{ variables: { name: "Ada" } }, { text: "It is me" }]);
      assert.equal(model.requests[0]?.system, "The user's name is {name}.");
      assert.ok(sentTexts(model.requests[0])?.includes("<state_update>name: Ada</state_update>"));
    },
  });

  verifiesTurn("turn-condition", {
    app: {
      agents: {
        Root: { instruction: '{% if tier == "vip" %}Be quick.{% endif %}{% if tier == "none" %}Wait.{% endif %}' },
      },
      app: { variableDeclarations: [variable("tier", "vip")] },
    },
    model: [say("Yes.")],
    talk: async ({ say: ask, model }) => {
      await ask("Hello");
      assert.equal(model.requests[0]?.system, "Be quick.");
    },
  });

  verifiesTurn("turn-global-instruction", {
    app: {
      agents: { Root: { childAgents: ["$APP/agents/the-billing"] }, Billing: {} },
      app: { globalInstruction: "Speak plainly." },
    },
    model: [
      [{ kind: "function-call", id: "c", name: "transfer_to_agent", args: { agent_name: "Billing" } }],
      say("Here."),
    ],
    talk: async ({ say: ask, model }) => {
      await ask("Billing please");
      assert.deepEqual(
        model.requests.map(({ system }) => system.startsWith("Speak plainly.")),
        [true, true],
      );
    },
  });

  verifiesTurn("turn-time-zone", {
    app: {
      agents: { Root: { instruction: "Today is {{current_date}}." } },
      app: { timeZoneSettings: { timeZone: "UTC" } },
    },
    model: [say("1"), say("2")],
    talk: async ({ say: ask, model }) => {
      const dates = new Set<string>();
      for (const timeZone of ["Pacific/Kiritimati", "Etc/GMT+12"]) {
        await ask("Hello", { timeZone });
        dates.add(model.requests.at(-1)?.system ?? "");
      }
      assert.equal(dates.size, 2);
      for (const date of dates) assert.match(date, /^Today is \d{4}-\d\d-\d\d\.$/);
    },
  });

  verifiesTurn("turn-historical-contexts", {
    app: PLAIN,
    model: [say("As I said.")],
    talk: async ({ say: ask, model }) => {
      const historicalContexts = [
        { role: "user", chunks: [{ text: "Where is it?" }] },
        { role: "Root", chunks: [{ text: "In Paris." }] },
      ];
      await ask("Again?", { historicalContexts });
      assert.deepEqual(
        model.requests[0]?.messages.map(({ role, parts }: Json) => [role, parts[0].text]),
        [
          ["user", "Where is it?"],
          ["model", "In Paris."],
          ["user", "Again?"],
        ],
      );
    },
  });

  verifiesTurn("turn-example", {
    app: {
      ...PLAIN,
      examples: {
        greeting: {
          entryAgent: "$APP/agents/the-root",
          messages: [
            { role: "user", chunks: [{ text: "Ahoy" }] },
            { role: "Root", chunks: [{ text: "Ahoy, sailor" }] },
          ],
        },
      },
    },
    model: [say("Ahoy.")],
    talk: async ({ say: ask, model }) => {
      await ask("Hello");
      assert.match(model.requests[0]?.system ?? "", /EXAMPLE 1[\s\S]*\[user\] Ahoy\n\[model\] Ahoy, sailor/);
    },
  });

  verifiesTurn("turn-record", {
    app: {
      agents: { Root: { tools: ["end_session"] } },
      app: { languageSettings: { defaultLanguageCode: "en-US" } },
    },
    model: [say("Hello."), [...say("Bye."), { kind: "function-call", id: "c", name: "end_session", args: {} }]],
    talk: async ({ say: ask, address, session, app }) => {
      const turns = [
        await ask([{ event: { event: "welcome" } }]),
        await ask("Bye", { entryAgent: `${app}/agents/the-root` }),
      ];
      const answer = await fetch(`${address}/v1beta/${session.replace("/sessions/", "/conversations/")}`);
      const conversation = (await answer.json()) as Json;
      assert.deepEqual(
        conversation.turns.map(({ messages }: Json) => messages),
        turns.map((turn) => turn.messages()),
      );
      const { source, turnCount, inputTypes, languageCode } = conversation;
      assert.deepEqual(
        [source, turnCount, inputTypes, languageCode],
        ["LIVE", 2, ["INPUT_TYPE_EVENT", "INPUT_TYPE_TEXT"], "en-US"],
      );
      for (const { rootSpan } of conversation.turns) {
        const [model] = rootSpan.childSpans.filter(({ name }: Json) => name === "LLM");
        assert.deepEqual(
          [model.attributes.agent, model.attributes.model, model.attributes["input token count"]],
          ["Root", "test/scripted", 7],
        );
        assert.match(model.duration, /^\d+(\.\d+)?s$/);
      }
    },
  });

  const OUTAGE = unavailable("The model is down.", { reason: "MODEL_CALL_FAILED" });
  const trouble = (errorHandlingSettings: object) => ({ ...PLAIN, app: { errorHandlingSettings } });

  verifiesTurn("turn-error-none", {
    app: PLAIN,
    model: [OUTAGE, say("Back.")],
    talk: async ({ say: ask }) => {
      assert.equal((await ask("Hello")).error?.code, "UNAVAILABLE");
      const again = await ask("Hello");
      assert.deepEqual([again.texts, again.outputs.at(-1)?.turnIndex], [["Back."], 1]);
    },
  });

  verifiesTurn("turn-error-fallback", {
    app: trouble({
      errorHandlingStrategy: "FALLBACK_RESPONSE",
      fallbackResponseConfig: { customFallbackMessages: { "en-US": "I am having trouble." }, maxFallbackAttempts: 1 },
    }),
    model: [OUTAGE, OUTAGE],
    talk: async ({ say: ask }) => {
      const first = await ask("Hello");
      assert.deepEqual([first.texts, first.ended], [["I am having trouble."], undefined]);
      assert.equal((await ask("Hello?")).ended?.session_escalated, false);
    },
  });

  verifiesTurn("turn-error-end", {
    app: trouble({ errorHandlingStrategy: "END_SESSION", endSessionConfig: { escalateSession: true } }),
    model: [OUTAGE],
    talk: async ({ say: ask }) => {
      assert.equal((await ask("Hello")).ended?.session_escalated, true);
    },
  });

  verifiesTurn("turn-long-text", {
    app: PLAIN,
    model: [say("Long.")],
    talk: async ({ say: ask, model }) => {
      const text = "word ".repeat(20_000);
      assert.deepEqual((await ask(text)).texts, ["Long."]);
      assert.deepEqual(sentTexts(model.requests[0]), [text]);
    },
  });

  verifiesTurn("turn-bad-session", {
    app: PLAIN,
    model: [],
    talk: async ({ say: ask, app }) => {
      const missing = `${app.replace(/[^/]+$/, "no-such-app")}/sessions/session-1`;
      assert.equal((await ask("Hello", { session: missing })).error?.code, "NOT_FOUND");
      assert.equal((await ask("Hello", { session: `${app}/sessions/a b` })).error?.code, "INVALID_ARGUMENT");
      assert.equal((await ask("Hello", { timeZone: "Mars/Base" })).error?.code, "INVALID_ARGUMENT");
    },
  });
});
