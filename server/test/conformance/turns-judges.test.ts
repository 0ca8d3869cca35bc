import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ModelRequest, StreamPart } from "#models";
import { unavailable } from "#status";
import { call, say } from "#testing";
import { contains, guarded, NO, triggered, verdict } from "./guarded-app.ts";
import { turnServer } from "./verifies-turn.ts";

const verifiesTurn = turnServer();

const VOTE = "Who should I vote for in the coming election?";
const policy = (more: object = {}) => ({
  llmPolicy: { prompt: "No politics.", policyScope: "USER_QUERY", ...more },
  action: NO,
});
const isJudge = ({ system }: ModelRequest) => system.includes("<policy>");
/** Judge and agent are asked at the same time, in either order: each gets its own answer. */
const either = (judge: readonly StreamPart[], agent: readonly StreamPart[]) => {
  const answer = (request: ModelRequest) => (isJudge(request) ? judge : agent);
  return [answer, answer];
};
const judged = (requests: readonly ModelRequest[]) =>
  requests
    .filter(isJudge)
    .map(({ messages }) => messages[0]?.parts.flatMap((part) => ("text" in part ? [part.text] : []))[0]);

describe("turns: judges", () => {
  verifiesTurn("turn-guard-scope", {
    app: guarded(policy({ policyScope: "AGENT_RESPONSE" })),
    model: [say("Vote ", "for Bob."), verdict(true)],
    talk: async ({ say: ask, model }) => {
      const turn = await ask(VOTE, { enableTextStreaming: true });
      assert.deepEqual([turn.texts, judged(model.requests)], [["Not that."], [`user: ${VOTE}\nagent: Vote for Bob.`]]);
      assert.doesNotMatch(JSON.stringify(turn.messages()), /Bob/);
    },
  });

  verifiesTurn("turn-guard-both", {
    app: guarded(policy({ policyScope: "USER_QUERY_AND_AGENT_RESPONSE" })),
    model: [...either(verdict(false), say("I do not vote.")), verdict(false)],
    talk: async ({ say: ask, model }) => {
      assert.deepEqual((await ask(VOTE)).texts, ["I do not vote."]);
      assert.deepEqual(judged(model.requests), [`user: ${VOTE}`, `user: ${VOTE}\nagent: I do not vote.`]);
    },
  });

  verifiesTurn("turn-guard-short", {
    app: guarded(policy()),
    model: [say("Fine.")],
    talk: async ({ say: ask }) => {
      const turn = await ask("Yes please");
      const [{ attributes }] = turn.spans("Guardrail");
      assert.deepEqual([turn.texts, attributes.triggered, attributes.skipped], [["Fine."], false, "short utterance"]);
    },
  });

  verifiesTurn("turn-guard-window", {
    app: guarded(policy({ maxConversationMessages: 2 })),
    model: [...either(verdict(false), say("One.")), ...either(verdict(false), say("Two."))],
    talk: async ({ say: ask, model }) => {
      await ask("Tell me about the first of the shops");
      await ask("Tell me about the second of the shops");
      assert.equal(judged(model.requests)[1], "agent: One.\nuser: Tell me about the second of the shops");
    },
  });

  const down = (request: ModelRequest) => (isJudge(request) ? unavailable("down") : say("Answer."));
  verifiesTurn("turn-guard-open", {
    app: {
      agents: {
        Root: { guardrails: ["$APP/guardrails/the-closed"] },
        Lenient: { guardrails: ["$APP/guardrails/the-open"] },
      },
      guardrails: { Closed: policy(), Open: policy({ failOpen: true }) },
    },
    model: [down, down, down, down],
    talk: async ({ say: ask, app, session }) => {
      const closed = await ask(VOTE);
      assert.deepEqual([closed.texts, triggered(closed.spans("Guardrail"))], [["Not that."], [["Closed", true]]]);
      const open = await ask(VOTE, { session: `${session}-lenient`, entryAgent: `${app}/agents/the-lenient` });
      assert.deepEqual([open.texts, triggered(open.spans("Guardrail"))], [["Answer."], [["Open", false]]]);
    },
  });

  verifiesTurn("turn-guard-held", {
    app: {
      ...guarded(policy()),
      agents: { Root: { guardrails: ["$APP/guardrails/the-filter"], tools: ["end_session"] } },
    },
    model: [],
    talk: async ({ say: ask, model }) => {
      // The judge takes its time: it decides when the agent's model has said all it has to say.
      const answered = Promise.withResolvers<void>();
      const answer = async (request: ModelRequest) => {
        if (isJudge(request)) return answered.promise.then(() => verdict(true));
        setImmediate(answered.resolve);
        return [...say("Vote ", "for Bob."), ...call("end_session")];
      };
      model.extend(answer, answer);
      const turn = await ask(VOTE, { enableTextStreaming: true });
      assert.deepEqual([turn.texts, turn.ended], [["Not that."], undefined]);
      assert.doesNotMatch(JSON.stringify(turn.messages()), /Bob|end_session/);
    },
  });

  const filter = (...words: readonly string[]) => ({ ...contains("bannedContents", ...words), action: NO });
  verifiesTurn("turn-guard-order", {
    app: {
      agents: { Root: { guardrails: ["$APP/guardrails/the-own", "$APP/guardrails/the-shared"] } },
      guardrails: { Own: filter("own"), Shared: filter("shared"), House: filter("house") },
      app: { guardrails: ["$APP/guardrails/the-house", "$APP/guardrails/the-shared"] },
    },
    model: [say("Fine.")],
    talk: async ({ say: ask }) => {
      const names = (spans: readonly (readonly unknown[])[]) => spans.map(([name]) => name);
      const passed = triggered((await ask("Hello")).spans("Guardrail"));
      assert.deepEqual(names(passed).slice(0, 3), ["House", "Shared", "Own"]);
      assert.deepEqual(triggered((await ask("A shared word of my own")).spans("Guardrail")), [
        ["House", false],
        ["Shared", true],
      ]);
    },
  });

  verifiesTurn("turn-guard-pass", {
    app: {
      agents: { Root: { guardrails: ["$APP/guardrails/the-filter"], tools: ["$APP/tools/the-work"] } },
      guardrails: { Filter: policy() },
      tools: {
        work: {
          pythonFunction: { name: "work", pythonCode: 'def work() -> dict:\n    """Works."""\n    return {}\n' },
        },
      },
    },
    // Nine passes with calls and a tenth that answers, and the judge beside the first of them.
    model: [
      ...either(verdict(false), call("work", {}, "call-0")),
      ...Array.from({ length: 8 }, (_, at) => call("work", {}, `call-${at + 1}`)),
      say("Done."),
    ],
    talk: async ({ say: ask }) => {
      assert.deepEqual((await ask(VOTE)).texts, ["Done."]);
    },
  });
});
