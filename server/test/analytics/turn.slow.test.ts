import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { clone } from "@bufbuild/protobuf";
import { type Context, ContextSchema } from "@frontdesk/protos/gda/context";
import type { Message } from "@frontdesk/protos/gda/data_chat_service";
import { type Analytics, type AnalyticsDeps, type ChatRequest, createAnalytics } from "#analytics";
import { createLogger, type JsonObject, systemIds } from "#base";
import type { StreamPart } from "#models";
import { createRulePlanners } from "#offline";
import type { Sandbox } from "#sandbox";
import { unavailable } from "#status";
import { modelsOf, type ScriptedAnswer, ScriptedModel, say } from "#testing";
import { testSandbox } from "#testing/engine";
import { asked, errorOf, finalText, groupOf, kindOf, rowsOf } from "./chat-messages.ts";
import { SHOP_NOW, type Shop, startShop } from "./start-shop.ts";

const COUNT = "SELECT count(*) AS orders FROM local.shop.orders WHERE channel = 'Web'";
const BY_CHANNEL = "SELECT channel, count(*) AS orders FROM local.shop.orders GROUP BY channel ORDER BY orders DESC";
const SLOW =
  "SELECT count(*) AS n FROM local.shop.order_items a, local.shop.order_items b, local.shop.order_items c WHERE a.quantity + b.quantity + c.quantity < 0";

const json = (value: JsonObject) => say(JSON.stringify(value));
const plan = (sql: string, more: JsonObject = {}) =>
  json({ kind: "query", name: "found", sql, reasoning: "Counts.", ...more });
const answer = (text: string, ...follow_ups: string[]) => json({ text, follow_ups });
const cut = (text: string): readonly StreamPart[] => [
  ...say(text),
  { kind: "finish", reason: "length", rawReason: "MAX_TOKENS", usage: {} },
];

describe("a question that a language model answers", () => {
  let shop: Shop;
  let sandbox: Sandbox;
  before(async () => {
    shop = await startShop();
    sandbox = testSandbox();
  });
  after(async () => {
    await sandbox.close();
    await shop.close();
  });

  function analyticsOf(model: ScriptedModel, limits: AnalyticsDeps["limits"] = {}): Analytics {
    const clock = { now: () => SHOP_NOW.getTime() };
    const { warehouse } = shop;
    return createAnalytics({
      models: modelsOf(model),
      warehouse,
      rules: createRulePlanners(),
      sandbox,
      clock,
      ids: systemIds,
      logger: createLogger("silent"),
      limits,
    });
  }

  /** Asks with a script of the model's answers; answers every message. */
  async function ask(script: readonly ScriptedAnswer[], more: Partial<ChatRequest> & { question?: string } = {}) {
    using model = new ScriptedModel(...script);
    const { question = "How many web orders are there?", messages = [], ...rest } = more;
    const told: Message[] = [];
    const request = { context: shop.context, mode: "thinking" as const, signal: new AbortController().signal, ...rest };
    for await (const message of analyticsOf(model).chat({ ...request, messages: [...messages, asked(question)] }))
      told.push(message);
    return { told, requests: model.requests };
  }

  it("sends messages from schema to follow-up questions, in groups", async () => {
    const { told, requests } = await ask([
      plan(BY_CHANNEL, { chart: { mark: "bar", x: "channel", y: "orders" } }),
      answer("Stores lead.", "And by month?"),
    ]);
    assert.deepEqual(told.map(kindOf), [
      ...["schema.query", "schema.result", "exampleQueries", "THOUGHT", "PROGRESS", "THOUGHT"],
      ...[
        "data.query",
        "data.generatedSql",
        "data.result",
        "chart.query",
        "chart.result",
        "FINAL_RESPONSE",
        "FOLLOWUP_QUESTIONS",
      ],
    ]);
    assert.deepEqual(told.map(groupOf), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2]);
    assert.match(requests[0]?.system ?? "", /channel STRING .*"Store"/);
    assert.match(requests[0]?.system ?? "", /measure revenue = SUM/);
    assert.match(requests[0]?.system ?? "", /Which customers bought most in @city\?/);
    assert.match(
      requests[1]?.messages[0]?.parts.map((part) => (part.kind === "text" ? part.text : "")).join("") ?? "",
      /Store \| \d+/,
    );
  });

  it("is repaired with errors of the statement check and of the engine, three times at most", async () => {
    const { told, requests } = await ask([
      plan("DROP TABLE local.shop.orders"),
      plan("SELECT count(*) FROM local.shop.secrets"),
      plan("SELECT count(*) AS n FROM local.shop.orders WHERE chanel = 'Web'"),
      plan(COUNT),
      answer("See the rows."),
    ]);
    const errors = told.flatMap(errorOf);
    assert.equal(errors.length, 3);
    assert.match(errors[0] ?? "", /DROP|refused|SELECT/i);
    assert.match(errors[1] ?? "", /secrets/);
    assert.match(errors[2] ?? "", /^The statement could not be run: [^\n]*chanel[^\n]*channel/);
    const heard =
      requests[3]?.messages.map(({ parts }) => parts.map((part) => (part.kind === "text" ? part.text : "")).join("")) ??
      [];
    for (const error of errors.slice(0, 2))
      assert.ok(
        heard.some((text) => text.includes(error)),
        error,
      );
    assert.match(heard.at(-1) ?? "", /Binder Error[\s\S]*chanel[\s\S]*LINE 1/);
    assert.equal(told.filter((message) => kindOf(message) === "data.result").length, 1);
  });

  it("is answered by a statement alone in a code fence, and by one in the JSON", async () => {
    for (const written of [say(`\`\`\`sql\n${COUNT};\n\`\`\``), plan(`\`\`\`sql\n${COUNT}\n\`\`\``)]) {
      const { told } = await ask([written, answer("See the rows.")]);
      assert.equal(told.filter((message) => kindOf(message) === "data.result").length, 1);
    }
  });

  it("is given up after the third repair, in words, with nothing run", async () => {
    const wrong = plan("SELECT nothing FROM local.shop.orders");
    const { told } = await ask([wrong, wrong, wrong, wrong]);
    assert.equal(told.flatMap(errorOf).length, 4);
    assert.match(finalText(told), /^I could not answer this from the data\..*nothing/s);
    assert.equal(
      told.some((message) => kindOf(message) === "data.result"),
      false,
    );
  });

  it("has one repair and no thoughts in FAST mode", async () => {
    const wrong = plan("SELECT nothing FROM local.shop.orders");
    const { told } = await ask([wrong, wrong], { mode: "fast" });
    assert.equal(told.flatMap(errorOf).length, 2);
    assert.equal(
      told.some((message) => kindOf(message) === "THOUGHT"),
      false,
    );
  });

  it("is looked at once more when nothing was found, and nothing is the answer when it stays so", async () => {
    const empty = "SELECT count(*) AS n FROM local.shop.orders WHERE channel = 'web' GROUP BY channel";
    const mended = await ask([plan(empty), plan(COUNT), answer("See the rows.")]);
    assert.deepEqual(mended.told.flatMap(errorOf), ["Nothing was found; the statement is looked at once more."]);
    assert.match(JSON.stringify(mended.requests[1]?.messages), /found no rows, or only NULL/);
    const same = await ask([plan(empty), plan(empty), answer("There are no such orders.")]);
    assert.deepEqual(same.told.flatMap(rowsOf), [[]]);
    assert.equal(finalText(same.told), "There are no such orders.");
    const nulls = "SELECT max(quantity) AS n FROM local.shop.order_items WHERE quantity < 0";
    assert.equal((await ask([plan(nulls), plan(nulls), answer("None.")])).told.flatMap(errorOf).length, 1);
  });

  it("loses the sentences whose numbers are in no row, and the whole answer when none is left", async () => {
    const [[row]] = (await ask([plan(COUNT), answer("Fine.")])).told.flatMap(rowsOf) as [[{ orders: string }]];
    const removed = await ask([plan(COUNT), answer(`There are ${row.orders} web orders. That is 99% of all.`)]);
    assert.equal(finalText(removed.told), `There are ${row.orders} web orders.`);
    assert.match(removed.told.flatMap(errorOf).join(), /That is 99% of all\./);
    const withheld = await ask([plan(COUNT), answer("Twelve million orders came in.")]);
    assert.match(finalText(withheld.told), /was withheld/);
    const reply = await ask([json({ kind: "reply", text: "You had 123456 orders." })]);
    assert.match(finalText(reply.told), /was withheld, because no query found its numbers/);
  });

  it("is analyzed in the Python sandbox, a failed program repaired, each step sent", async () => {
    const analysis = { analysis: "How are orders spread over channels?" };
    const works = `def analyze(results):
    rows = results["found"]
    total = sum(r["orders"] for r in rows)
    print("total", total)
    return {"text": f"In all {total:.0f} orders. It was 4711.", "csv": rows[:1], "vega": {"mark": "bar"}}`;
    const { told } = await ask([
      plan(BY_CHANNEL, analysis),
      json({ code: "def analyze(results):\n    return results['wrong']" }),
      json({ code: works }),
      answer("Stores lead."),
    ]);
    const events = told.flatMap(({ kind }) =>
      kind.case === "systemMessage" &&
      kind.value.kind.case === "analysis" &&
      kind.value.kind.value.kind.case === "progressEvent"
        ? [kind.value.kind.value.kind.value.kind]
        : [],
    );
    assert.deepEqual(
      events.map((event) => event.case),
      [
        "plannerReasoning",
        "coderInstruction",
        "code",
        "executionError",
        "code",
        "executionOutput",
        "resultCsvData",
        "resultVegaChartJson",
        "resultNaturalLanguage",
      ],
    );
    assert.match(String(events[3]?.value), /KeyError/);
    assert.match(String(events[5]?.value), /^total 14396/);
    assert.match(String(events[6]?.value), /^channel,orders\r\nStore,\d+$/);
    assert.equal(finalText(told), "Stores lead.\n\nIn all 14396 orders.");
  });

  it("reaches nothing but its rows from Python", async () => {
    const code =
      "import urllib.request\ndef analyze(results):\n    return urllib.request.urlopen('http://127.0.0.1:1').read().decode()";
    const { told } = await ask([
      plan(BY_CHANNEL, { analysis: "x" }),
      ...[1, 2, 3].map(() => json({ code })),
      answer("Stores lead."),
    ]);
    assert.ok(told.some((message) => kindOf(message) === "analysis.error"));
    assert.equal(finalText(told), "Stores lead.");
  });

  it("draws and analyses rows of an earlier question by their name, from what the client sends back", async () => {
    const first = await ask([plan(BY_CHANNEL, { name: "by_channel" }), answer("Stores lead.")], {
      question: "Orders by channel?",
    });
    const second = await ask([plan(COUNT, { name: "web_orders" }), answer("See the rows.")]);
    const messages = [asked("Orders by channel?"), ...first.told, asked("And web?"), ...second.told];
    const drawn = await ask([json({ kind: "redraw", result: "by_channel", chart: { mark: "pie" } })], {
      messages,
      question: "The first one as a pie",
    });
    assert.deepEqual(drawn.told.slice(-3).map(kindOf), ["chart.query", "chart.result", "FINAL_RESPONSE"]);
    assert.equal(finalText(drawn.told), "Here is by channel drawn again.");
    const code = "def analyze(results):\n    return {'text': f\"{len(results['by_channel'])} channels.\"}";
    const looked = await ask([json({ kind: "redraw", result: "by_channel", analysis: "Count them" }), json({ code })], {
      messages,
      question: "How many are that?",
    });
    assert.equal(finalText(looked.told), "3 channels.");
    const unknown = await ask([json({ kind: "redraw", result: "nothing" })], { messages, question: "Draw it" });
    assert.equal(
      finalText(unknown.told),
      "There is no result called nothing in this conversation. There are: by_channel, web_orders.",
    );
  });

  it("is answered by a verified query with its parameters, and cites it in bytes", async () => {
    const { told } = await ask([answer("Käufer aus Dublin führen.")], {
      question: "Which customers bought most in Dublin?",
    });
    const matched = told.flatMap(({ kind }) =>
      kind.case === "systemMessage" &&
      kind.value.kind.case === "data" &&
      kind.value.kind.value.kind.case === "matchedQuery"
        ? [kind.value.kind.value.kind.value.queryParameterValues.map(({ name, value }) => ({ name, value }))]
        : [],
    );
    assert.deepEqual(matched, [[{ name: "city", value: "Dublin" }]]);
    assert.equal(told.flatMap(rowsOf)[0]?.length, 10);
    const citation = told.flatMap(({ kind }) => (kind.case === "systemMessage" ? (kind.value.citation ?? []) : []))[0];
    assert.deepEqual(
      citation?.anchors[0]?.anchorType.value?.endOffsetBytes,
      Buffer.byteLength("Käufer aus Dublin führen."),
    );
  });

  for (const [image, type] of [
    ["svg", "image/svg+xml"],
    ["png", "image/png"],
  ] as const) {
    it(`brings its chart as ${image.toUpperCase()} when that is asked for`, async () => {
      const { told } = await ask([plan(BY_CHANNEL, { chart: { mark: "bar" } }), answer("Stores lead.")], { image });
      const found = told.flatMap(({ kind }) =>
        kind.case === "systemMessage" &&
        kind.value.kind.case === "chart" &&
        kind.value.kind.value.kind.case === "result"
          ? (kind.value.kind.value.kind.value.image ?? [])
          : [],
      );
      assert.equal(found[0]?.mimeType, type);
      assert.equal(
        Buffer.from(found[0]?.data ?? [])
          .toString("latin1")
          .slice(0, 4),
        image === "svg" ? "<svg" : "\x89PNG",
      );
    });
  }

  it("is answered by the rules, with a warning, when the model is away, cut off or silent", async () => {
    const outages: readonly (readonly [ScriptedAnswer, RegExp])[] = [
      [unavailable("the provider is down"), /could not be asked/],
      [cut('{"kind": "query", "sql": "SELECT 1'), /MAX_TOKENS/],
    ];
    for (const [outage, words] of outages) {
      const { told } = await ask([outage], { question: "orders by channel" });
      assert.match(told.flatMap(errorOf).join(), words);
      assert.match(
        finalText(told),
        /Number of orders, by channel\.[\s\S]*Store[\s\S]*The built-in rules answer instead/,
      );
    }
    const later = await ask([plan(COUNT), cut('{"text": "The')]);
    assert.match(finalText(later.told), /^Counts\.[\s\S]*Orders: \*\*[\d,]+\*\*[\s\S]*MAX_TOKENS/);
  });

  it("sends PROGRESS while its query runs, and cancels the query when the reader stops", async () => {
    using model = new ScriptedModel(plan(SLOW));
    const analytics = analyticsOf(model, { silenceMs: 50, queryMs: 60_000 });
    const request = { context: shop.context, mode: "fast" as const, signal: new AbortController().signal };
    const beats: string[] = [];
    for await (const message of analytics.chat({ ...request, messages: [asked("Everything with everything?")] })) {
      const { kind } = message;
      if (kind.case === "systemMessage" && kind.value.kind.case === "text")
        beats.push(kind.value.kind.value.parts.join());
      if (beats.filter((text) => text.startsWith("Running the query (")).length === 2) break;
    }
    // The engine is free again: the next question is answered at once.
    const { told } = await ask([plan(COUNT), answer("See the rows.")]);
    assert.equal(told.flatMap(rowsOf).length, 1);
  });

  it("cancels a query at its timeout, with an error message", async () => {
    using model = new ScriptedModel(plan(SLOW));
    const told: Message[] = [];
    const request = { context: shop.context, mode: "fast" as const, signal: new AbortController().signal };
    for await (const message of analyticsOf(model, { queryMs: 200 }).chat({
      ...request,
      messages: [asked("Everything?")],
    }))
      told.push(message);
    assert.match(finalText(told), /The query took longer than 0\.2 s/);
  });

  it("ends the model's call when the caller leaves", async () => {
    const leaving = new AbortController();
    const waits: ScriptedAnswer = async (_request, { signal }) => {
      leaving.abort(new Error("gone"));
      await delay(5_000, undefined, { signal });
      return [];
    };
    await assert.rejects(ask([waits], { signal: leaving.signal }));
  });

  it("computes statistics without a language model, in the same Python", async () => {
    const questions: readonly (readonly [string, RegExp])[] = [
      [
        "What is the correlation between price and quantity?",
        /The correlation of price and quantity is \*\*-?0\.\d{3}\*\* over [\d,]+ rows/,
      ],
      [
        "standard deviation of price",
        /The standard deviation of price is \*\*[\d.]+\*\* around a mean of 40\.62, over 60 values/,
      ],
      ["outliers in revenue by day", /\*\*\d+\*\* of 730 values are outliers|There are no outliers/],
      ["forecast revenue for the next 3 months", /Forecast of revenue by trend and season: 2026-07: [\s\S]*2026-09: /],
      ["trend of revenue", /Revenue (rises|falls) by \*\*[\d,.]+\*\* from one point to the next/],
    ];
    for (const [question, words] of questions) {
      const { told } = await rulesAnswer(question, shop.context);
      assert.match(finalText(told), words, question);
      assert.ok(
        told.some((message) => kindOf(message) === "analysis.code"),
        question,
      );
    }
    const closed = clone(ContextSchema, shop.context);
    delete closed.options;
    assert.match(finalText((await rulesAnswer("trend of revenue", closed)).told), /options\.analysis\.python\.enabled/);
  });

  function rulesAnswer(question: string, context: Context) {
    return ask([unavailable("no model")], { question, context });
  }
});
