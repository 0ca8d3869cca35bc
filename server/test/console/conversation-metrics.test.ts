import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { SpanSchema } from "@frontdesk/protos/ces/common";
import { ConversationSchema } from "@frontdesk/protos/ces/conversation";
import { CitationSchema } from "@frontdesk/protos/gda/context";
import { agentBreakdown, toolBreakdown } from "../../../console/src/features/conversations/breakdowns.ts";
import { conversationMetrics } from "../../../console/src/features/conversations/conversation-metrics.ts";
import { filterExpression } from "../../../console/src/features/conversations/filter-expression.ts";
import { mergeNewestPage } from "../../../console/src/features/conversations/merge-newest-page.ts";
import { quantile } from "../../../console/src/features/conversations/quantile.ts";
import {
  NO_CRITERIA,
  readSearchCriteria,
  writeSearchCriteria,
} from "../../../console/src/features/conversations/search-criteria.ts";
import { timeSeries } from "../../../console/src/features/conversations/time-series.ts";
import { citedText } from "../../../console/src/features/data-chat/cited-text.ts";
import { parseMetrics, sumBy } from "../../../console/src/features/server/server-status.ts";

const NOON = new Date(2026, 10, 20, 12);
const iso = (...day: [number, number, number]) => new Date(...day).toISOString();

describe("the filter of conversations", () => {
  it("is empty when nothing is asked", () => {
    assert.equal(filterExpression(NO_CRITERIA, NOON), "");
  });

  it("says days in the computer's own time zone", () => {
    const yesterday = { ...NO_CRITERIA, time: "yesterday" } as const;
    assert.equal(
      filterExpression(yesterday, NOON),
      `start_time >= "${iso(2026, 10, 19)}" AND start_time < "${iso(2026, 10, 20)}"`,
    );
    const between = { ...NO_CRITERIA, time: "custom", from: "2026-11-01", until: "2026-11-02" } as const;
    assert.equal(
      filterExpression(between, NOON),
      `start_time >= "${iso(2026, 10, 1)}" AND start_time < "${iso(2026, 10, 3)}"`,
    );
    assert.equal(filterExpression({ ...between, from: "", until: "" }, NOON), "");
  });

  it("keeps what was typed a text, and further conditions together", () => {
    const criteria = {
      ...NO_CRITERIA,
      transcript: 'a "b" \\',
      session: "web-1",
      outcome: "failed",
      filter: "turn_count > 3 OR turn_count = 1",
    } as const;
    assert.equal(
      filterExpression(criteria, NOON),
      'ces_transcript.search("a \\"b\\" \\\\") AND customer_conversation_id = "web-1" AND outcome = FAILED AND (turn_count > 3 OR turn_count = 1)',
    );
  });

  it("is part of the address, and a value that the page does not know is ignored", () => {
    const criteria = { ...NO_CRITERIA, time: "week", source: "live", outcome: "failed", transcript: "tea" } as const;
    const written = { time: "week", source: "live", outcome: "failed", transcript: "tea" };
    assert.deepEqual(writeSearchCriteria(criteria), written);
    assert.deepEqual(readSearchCriteria(written), criteria);
    assert.deepEqual(readSearchCriteria({ time: "never", source: "moon", from: "yesterday", other: 1 }), NO_CRITERIA);
  });
});

describe("the newest page among what was read before", () => {
  const listed = (...minutes: number[]) =>
    minutes.map((minute) =>
      create(ConversationSchema, { name: `at-${minute}`, startTime: timestampFromMs(minute * 60_000) }),
    );
  const names = (conversations: readonly { readonly name: string }[] | undefined) =>
    conversations?.map(({ name }) => name);

  it("adds new entries, removes deleted ones, and keeps older ones", () => {
    const page = { conversations: listed(9, 8, 6), nextPageToken: "older" };
    assert.deepEqual(names(mergeNewestPage(page, listed(8, 7, 6, 5, 4))), ["at-9", "at-8", "at-6", "at-5", "at-4"]);
  });

  it("is everything where there is nothing older", () => {
    assert.deepEqual(names(mergeNewestPage({ conversations: listed(9), nextPageToken: "" }, listed(8, 7))), ["at-9"]);
  });

  it("does not pretend to reach what it does not reach", () => {
    assert.equal(mergeNewestPage({ conversations: listed(9, 8), nextPageToken: "older" }, listed(5, 4)), undefined);
  });
});

const START = Date.UTC(2026, 10, 20, 10);

/** A span that begins at an offset and takes a while, in milliseconds. */
function span(
  name: string,
  [from, took]: readonly [number, number],
  attributes: Record<string, never | unknown> = {},
  childSpans: MessageInitShape<typeof SpanSchema>[] = [],
): MessageInitShape<typeof SpanSchema> {
  return {
    name,
    startTime: timestampFromMs(START + from),
    endTime: timestampFromMs(START + from + took),
    attributes: attributes as never,
    childSpans,
  };
}

const CONVERSATION = create(ConversationSchema, {
  name: "c",
  turns: [
    {
      messages: [{ role: "user", chunks: [{ data: { case: "text", value: " Where is it? " } }] }],
      rootSpan: span("Turn", [0, 100], { agent: "Desk" }, [
        span("LLM", [0, 60], { agent: "Desk", model: "m", "input token count": 10, "output token count": 2 }),
        span("Tool", [60, 30], { agent: "Desk", name: "look", error: "no such order" }),
        span("Tool", [60, 10], { agent: "Desk", name: "look", response: { result: {} } }),
      ]),
    },
    {
      messages: [
        {
          role: "Returns",
          chunks: [
            {
              data: {
                case: "toolCall",
                value: { displayName: "end_session", args: { session_escalated: true } },
              },
            },
          ],
        },
      ],
      rootSpan: span("Turn", [3_600_000, 300], { agent: "Returns" }, [
        span("Guardrail", [3_600_000, 1], { agent: "Returns", name: "cards", triggered: true }),
        span("Tool", [3_600_001, 1], { agent: "Returns", name: "pay", response: { status: "error", error: "down" } }),
      ]),
    },
  ],
});

describe("the numbers of conversations", () => {
  const metrics = conversationMetrics(CONVERSATION);

  it("summarize one conversation", () => {
    const { turns: _turns, ...rest } = metrics;
    assert.deepEqual(rest, {
      name: "c",
      opening: "Where is it?",
      errors: ["look: no such order", "pay: down"],
      escalated: true,
      stopped: true,
      tokens: 12,
    });
  });

  it("summarize each agent and each tool", () => {
    assert.deepEqual(agentBreakdown([metrics]), [
      { agent: "Desk", turns: 1, modelCalls: 1, errors: 1, tokens: 12, p50: 100, p95: 100 },
      { agent: "Returns", turns: 1, modelCalls: 0, errors: 1, tokens: 0, p50: 300, p95: 300 },
    ]);
    assert.deepEqual(toolBreakdown([metrics]), [
      { tool: "look", calls: 2, errors: 1, lastError: "no such order", p50: 10, p95: 30 },
      { tool: "pay", calls: 1, errors: 1, lastError: "down", p50: 1, p95: 1 },
    ]);
  });

  it("go over time in steps that leave none out", () => {
    const { stepMs, steps } = timeSeries(metrics.turns);
    assert.equal(stepMs, 5 * 60_000);
    assert.equal(steps.length, 13);
    assert.deepEqual(steps[0], {
      at: START,
      turns: 1,
      p50: 100,
      p95: 100,
      toolFailures: 1,
      escalations: 0,
      inputTokens: 10,
      outputTokens: 2,
    });
    assert.deepEqual([steps[1]?.turns, steps[1]?.p50, steps.at(-1)?.escalations], [0, null, 1]);
    assert.deepEqual(timeSeries([]), { stepMs: 60_000, steps: [] });
  });

  it("take quantiles by nearest rank", () => {
    assert.equal(quantile([], 0.5), undefined);
    assert.deepEqual([quantile([3, 1, 2], 0.5), quantile([3, 1, 2], 0.95), quantile([1], 0)], [2, 3, 1]);
  });
});

describe("the marks of cited sources", () => {
  const anchor = (partIndex: number, endOffsetBytes: number, ...sourceIds: string[]) => ({
    anchorType: {
      case: "textMessageAnchor" as const,
      value: { partIndex, startOffsetBytes: 0, endOffsetBytes, sourceIds },
    },
  });

  it("are placed where the bytes of a part end, numbered like the list", () => {
    const citation = create(CitationSchema, {
      sources: [{ id: "a" }, { id: "b" }],
      anchors: [anchor(0, 6, "b"), anchor(1, 3, "a", "unknown"), anchor(0, 99, "a")],
    });
    assert.equal(citedText(["Käse! ", "two"], citation), "Käse! [2](#source-2)  [1](#source-1)two [1](#source-1)");
  });

  it("are none without a citation", () => {
    assert.equal(citedText(["a", "b"], undefined), "ab");
  });
});

describe("what a server counted", () => {
  it("is read from Prometheus text and summed by a label", () => {
    const samples = parseMetrics('# HELP a b\na{code="OK",x="y, {z}"} 2\na{code="OK"} 1\na{code="NO"} 5\nb 1.5e3\n\n');
    assert.deepEqual(sumBy(samples, "a", "code"), [
      ["NO", 5],
      ["OK", 3],
    ]);
    assert.deepEqual(samples.at(-1), { name: "b", labels: {}, value: 1500 });
  });
});
