import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type Guardrail_ContentFilter,
  Guardrail_ContentFilterSchema,
  type GuardrailSchema,
  Guardrail_ContentFilter_MatchType as MatchType,
} from "@frontdesk/protos/ces/guardrail";
import { Code, ConnectError } from "#status";
import { agentName, ScriptedModel, say, spoken, TEST_APP, testSession } from "#testing/engine";
import { createTextThreads, inThread } from "../text-search/text-threads.ts";
import { contentFilter } from "./content-filter.ts";
import type { GuardrailStage } from "./guardrail-kind.ts";

type FilterInit = MessageInitShape<typeof Guardrail_ContentFilterSchema>;
type Action = NonNullable<MessageInitShape<typeof GuardrailSchema>["action"]>["action"];

const filter = (init: FilterInit) =>
  contentFilter(create(Guardrail_ContentFilterSchema, init) as Guardrail_ContentFilter);
const threads = createTextThreads().forApp("app");
const reasons = (check: ReturnType<typeof filter>, stage: GuardrailStage, texts: readonly string[]) =>
  Promise.all(texts.map(async (text) => (await check.judge(stage, text, threads)).reason));
const verdicts = async (init: FilterInit, ...texts: readonly string[]) =>
  (await reasons(filter(init), "user-input", texts)).map((reason) => reason !== undefined);

describe("a content filter", () => {
  it("finds plain phrases anywhere, whatever their case", async () => {
    const init = { matchType: MatchType.SIMPLE_STRING_MATCH, bannedContents: ["Damn"] };
    assert.deepEqual(await verdicts(init, "DAMNED", "dam n", "oh damn!"), [true, false, true]);
  });

  it("finds whole words only, also of other scripts and with delimiters inside", async () => {
    const init = { matchType: MatchType.WORD_BOUNDARY_STRING_MATCH, bannedContents: ["acme", "größe", "give up"] };
    assert.deepEqual(await verdicts(init, "acmes", "(ACME)", "Schuhgröße", "die Größe!", "never give up."), [
      false,
      true,
      false,
      true,
      true,
    ]);
  });

  it("takes RE2 expressions, in linear time", async () => {
    const init = { matchType: MatchType.REGEXP_MATCH, bannedContents: ["(?i)card \\d{4}", "(a+)+$"] };
    assert.deepEqual(await verdicts(init, "Card 1234", "card 12", `${"a".repeat(5000)}!`), [true, false, false]);
    assert.deepEqual(filter(init).problems, []);
  });

  it("lets nothing pass when an expression cannot be used, and says which (GUARD-29)", async () => {
    for (const more of [[], Array.from({ length: 2_000 }, (_, at) => `never${at}`)]) {
      const init = { matchType: MatchType.REGEXP_MATCH, bannedContents: ["card \\d{4}", "(unclosed", ...more] };
      const check = filter(init);
      const [found, failed] = await Promise.all(
        ["card 1234", "hello"].map((text) => check.judge("user-input", text, threads)),
      );
      assert.equal(found?.reason, "matches the banned content 'card \\d{4}'");
      assert.equal(failed?.reason, "the check failed");
      assert.match(JSON.stringify(failed?.attributes), /The expression '\(unclosed' cannot be used: /);
    }
  });

  it("disregards diacritics only when that is set", async () => {
    const base = { matchType: MatchType.SIMPLE_STRING_MATCH, bannedContents: ["café"] };
    assert.deepEqual(await verdicts(base, "cafe", "cafe\u0301"), [false, true]);
    assert.deepEqual(await verdicts({ ...base, disregardDiacritics: true }, "cafe", "càfé"), [true, true]);
  });

  it("finds words between invisible characters, in other widths and letters without case", async () => {
    const init = { matchType: MatchType.WORD_BOUNDARY_STRING_MATCH, bannedContents: ["straße", "λόγος", "ملف"] };
    const hidden = ["STRASSE", "ｓｔｒａßｅ", "stra\u200bße", "\u202estraße\u202c", "ΛΌΓΟΣ", "م\u200cلف"];
    assert.deepEqual(
      await verdicts(init, ...hidden),
      hidden.map(() => true),
    );
    assert.deepEqual(await verdicts(init, "strassen", "a straß e"), [false, false]);
  });

  it("finds phrases that are written so themselves, and words that only an invisible space ends", async () => {
    const init = { matchType: MatchType.WORD_BOUNDARY_STRING_MATCH, bannedContents: ["ｂａｄ", "ok\u200by"] };
    assert.deepEqual(await verdicts(init, "bad", "BAD", "ｂａｄ", "oky", "bad\u200bger"), [
      true,
      true,
      true,
      true,
      true,
    ]);
  });

  it("keeps an expression's characters apart from those that they are compatible with", async () => {
    const init = { matchType: MatchType.REGEXP_MATCH, bannedContents: ["^\\d{4}…$", "card \\d{4}"] };
    assert.deepEqual(await verdicts(init, "1234…", "1234abc", "card １２３４"), [true, false, true]);
  });

  it("disregards accents and points, but neither the vowel signs of Indic scripts nor the voicing of kana", async () => {
    const init = {
      matchType: MatchType.SIMPLE_STRING_MATCH,
      bannedContents: ["कु", "か", "שלום", "naive"],
      disregardDiacritics: true,
    };
    assert.deepEqual(await verdicts(init, "के", "が", "שָׁלוֹם", "Naïve"), [false, false, true, true]);
  });

  it("keeps the lists for users and agents apart", async () => {
    const check = filter({
      matchType: MatchType.SIMPLE_STRING_MATCH,
      bannedContentsInUserInput: ["in"],
      bannedContentsInAgentResponse: ["out"],
    });
    assert.deepEqual(
      [...(await reasons(check, "user-input", ["in out"])), ...(await reasons(check, "agent-response", ["in out"]))],
      ["matches the banned content 'in'", "matches the banned content 'out'"],
    );
    assert.deepEqual([...filter({ bannedContentsInUserInput: ["in"] }).stages], ["user-input"]);
  });

  const words = Array.from({ length: 10_000 }, (_, at) => `forbidden${at}`);
  const filler = "the quick brown fox asks about an order ".repeat(50_000);
  const long: readonly (readonly [name: string, init: FilterInit, hit: string])[] = [
    ["words", { matchType: MatchType.WORD_BOUNDARY_STRING_MATCH, bannedContents: words }, "forbidden77"],
    ["parts of words", { matchType: MatchType.SIMPLE_STRING_MATCH, bannedContents: words }, "xForbidden7y"],
    ["expressions", { matchType: MatchType.REGEXP_MATCH, bannedContents: ["card \\d{4}", "(a+)+$"] }, "card 1234"],
  ];
  for (const [name, init, hit] of long) {
    it(`searches a text of 2 MB for ${name}, in a thread (GUARD-27)`, async () => {
      const text = `${filler}${hit} ${filler.slice(0, 100)}`;
      assert.deepEqual(await verdicts(init, text, filler), [true, false]);
    });
  }

  it("compiles more expressions than the main thread may in a thread (GUARD-27)", async () => {
    const init = { matchType: MatchType.REGEXP_MATCH, bannedContents: words.slice(0, 1_000) };
    assert.deepEqual(await verdicts(init, "it is forbidden8", "it is not"), [true, false]);
  });

  it("blocks what could not be searched in time (GUARD-27)", async () => {
    const check = filter({ matchType: MatchType.SIMPLE_STRING_MATCH, bannedContents: ["x"] });
    const { reason } = await check.judge("user-input", filler, createTextThreads(inThread(1)).forApp("app"));
    assert.match(reason ?? "", /could not be searched/);
  });
});

/** An app whose root agent is guarded against the word "banned". */
function guarded(action: Action | undefined, enabled = true) {
  const name = `${TEST_APP}/guardrails/g`;
  const value = { matchType: MatchType.SIMPLE_STRING_MATCH, bannedContents: ["banned"] };
  const guardrails = [
    {
      name,
      displayName: "No banned words",
      enabled,
      guardrailType: { case: "contentFilter" as const, value },
      ...(action && { action: { action } }),
    },
  ];
  return { app: { guardrails: [name] }, more: { guardrails } };
}

const RESPOND: Action = {
  case: "respondImmediately",
  value: { responses: [{ text: "off", disabled: true }, { text: "Let us stay polite." }, { text: "Please." }] },
};

describe("a guardrail on the user's input", () => {
  it("answers at once with an enabled response; no agent sees the input", async () => {
    await using session = await testSession({ model: new ScriptedModel(), agents: { Root: {} }, ...guarded(RESPOND) });
    const outputs = await session.send("a banned word");
    assert.deepEqual(spoken(outputs), ["Let us stay polite."]);
    assert.deepEqual(
      outputs.at(-1)?.diagnosticInfo?.rootSpan?.childSpans.map(({ name, attributes }) => [name, attributes]),
      [
        [
          "Guardrail",
          {
            agent: "Root",
            name: "No banned words",
            description: "",
            type: "contentFilter",
            triggered: true,
            reason: "matches the banned content 'banned'",
          },
        ],
      ],
    );
  });

  it("picks among the enabled responses at random", async () => {
    await using session = await testSession({
      model: new ScriptedModel(),
      agents: { Root: {} },
      ...guarded(RESPOND),
      engine: { random: () => 0.9 },
    });
    assert.deepEqual(spoken(await session.send("banned")), ["Please."]);
  });

  it("may transfer to another agent, which answers", async () => {
    const model = new ScriptedModel(say("Security speaking."));
    await using session = await testSession({
      model,
      agents: { Root: {}, Security: {} },
      ...guarded({ case: "transferAgent", value: { agent: agentName("Security") } }),
    });
    const outputs = await session.send("banned");
    assert.deepEqual(spoken(outputs), ["Security speaking."]);
    assert.deepEqual(
      outputs
        .at(-1)
        ?.diagnosticInfo?.messages.map(({ role, chunks }) => [role, ...chunks.map(({ data }) => data.case)]),
      [
        ["user", "text"],
        ["Root", "agentTransfer"],
        ["Security", "text"],
      ],
    );
  });

  it("may have an answer written, by its own prompt and without tools", async () => {
    const model = new ScriptedModel(say("I would rather not."));
    await using session = await testSession({
      model,
      agents: { Root: { instruction: "Sell.", tools: ["end_session"] } },
      ...guarded({ case: "generativeAnswer", value: { prompt: "Decline kindly." } }),
    });
    assert.deepEqual(spoken(await session.send("banned")), ["I would rather not."]);
    assert.deepEqual(model.requests, [
      {
        system: "Decline kindly.",
        messages: [{ role: "user", parts: [{ kind: "text", text: "banned" }] }],
        tools: [],
      },
    ]);
  });

  it("without an action rejects every turn with the hosted message", async () => {
    await using session = await testSession({
      model: new ScriptedModel(),
      agents: { Root: {} },
      ...guarded(undefined),
    });
    await assert.rejects(
      session.send("harmless"),
      (error: unknown) =>
        error instanceof ConnectError &&
        error.code === Code.InvalidArgument &&
        error.rawMessage === "Trigger action type is not supported: ACTION_NOT_SET",
    );
  });

  it("does nothing while it is switched off", async () => {
    const model = new ScriptedModel(say("fine"));
    await using session = await testSession({ model, agents: { Root: {} }, ...guarded(RESPOND, false) });
    assert.deepEqual(spoken(await session.send("ok")), ["fine"]);
  });
});

describe("a guardrail on the answer", () => {
  it("takes the answer's place before the client sees any of it", async () => {
    const model = new ScriptedModel(say("a ban", "ned thing"));
    await using session = await testSession({ model, agents: { Root: {} }, ...guarded(RESPOND) });
    const seen: unknown[] = [];
    for await (const event of session.events("Hi", { streamText: true })) {
      if (event.kind === "text-delta") seen.push(event.text);
      if (event.kind === "output") seen.push(event.output.outputType.value);
      if (event.kind === "message") seen.push(event.message.role);
    }
    assert.deepEqual(seen, ["user", "Let us stay polite.", "Root"]);
  });
});
