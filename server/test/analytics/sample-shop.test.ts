import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { askAll, callRest } from "./data-server.ts";
import type { Element } from "./line-clients.ts";

const AGENT = "projects/local/locations/us/dataAgents/shop";

const ask = (server: TestServer, text: string) =>
  askAll(server, { messages: [{ userMessage: { text } }], dataAgentContext: { dataAgent: AGENT } });

/** Rows and the words of an answer. */
function told(elements: readonly Element[]) {
  const messages = elements.map(({ systemMessage }) => systemMessage ?? {});
  const [result] = messages.flatMap(({ data }) => data?.result ?? []);
  const finals = messages.flatMap(({ text }) => (text?.textType === "FINAL_RESPONSE" ? text.parts : []));
  return { rows: (result?.data ?? []) as readonly Record<string, string>[], text: finals.join(""), messages };
}

describe("a server on a new data folder", () => {
  it("has a shop to ask, which is written once and stays deleted", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-shop-"));
    try {
      {
        await using server = await startTestServer({ example: true, dataDir });
        const answers = {
          revenue: told(await ask(server, "revenue by category")),
          units: told(await ask(server, "units sold by category")),
          average: told(await ask(server, "What is the average order value?")),
          profit: told(await ask(server, "What is the profit by category?")),
          synonym: told(await ask(server, "total takings")),
          gross: told(await ask(server, "gross profit by region")),
          pairs: told(await ask(server, "Which products are bought together most often?")),
          city: told(await ask(server, "Which customers bought most in York?")),
          latest: told(await ask(server, "list the last 3 orders")),
          dear: told(await ask(server, "how many products with price > 20")),
          noDay: told(await ask(server, "revenue on 30 February 2026")),
        };
        assert.equal(answers.revenue.rows.length, 6);
        assert.equal(answers.units.rows.length, 6);
        assert.equal(answers.profit.rows.length, 6);
        const sum = (key: "revenue" | "profit" | "gross") =>
          answers[key].rows.reduce((total, row) => total + Number(Object.values(row)[1]), 0);
        assert.ok(sum("profit") > 0 && sum("profit") < sum("revenue"));
        assert.ok(Math.abs(sum("gross") - sum("profit")) < 0.01);
        assert.ok(Math.abs(Number(Object.values(answers.synonym.rows[0] ?? {})[0]) - sum("revenue")) < 0.01);
        assert.equal(answers.average.rows.length, 1);
        assert.deepEqual([answers.city.rows.length, answers.pairs.rows.length], [10, 10]);
        assert.deepEqual(
          answers.city.messages.flatMap(({ data }) => data?.matchedQuery?.queryParameterValues ?? []),
          [{ name: "city", value: "York" }],
        );
        const { rows, text, messages } = answers.latest;
        assert.equal(rows.length, 3);
        for (const { order_id: order, store_id: store } of rows)
          assert.match(
            text,
            new RegExp(`order id \\*\\*${order}\\*\\*, customer id \\*\\*\\d+\\*\\*, store id \\*\\*${store}\\*\\*`),
          );
        assert.deepEqual(
          messages.flatMap(({ error }) => error ?? []),
          [],
        );
        assert.deepEqual(answers.dear.rows.map(Object.values), [["28"]]);
        assert.match(answers.noDay.text, /There is no 30 February 2026 in the calendar/);
        await callRest(server, "DELETE", `/v1beta/${AGENT}:deleteSync`);
      }
      await using again = await startTestServer({ example: true, dataDir });
      const { json } = await callRest(again, "GET", `/v1beta/${AGENT}`);
      assert.ok(json.deleteTime);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });

  it("has none of it where no example is wanted", async () => {
    await using server = await startTestServer();
    assert.deepEqual((await callRest(server, "GET", "/v1beta/projects/-/locations/-/dataAgents")).json, {});
    assert.equal(existsSync(join(server.dataDir, "samples")), false);
  });
});
