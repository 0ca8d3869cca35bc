import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { unzipSync } from "fflate";
import { startTestServer, type TestServer } from "#testing";
import { openCommandLine } from "../command-line.ts";

describe("frontdesk ask", () => {
  const folder = mkdtempSync(join(tmpdir(), "ask-"));
  const commands = openCommandLine();
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ example: true });
  });
  after(async () => {
    await commands[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  async function ask(...args: readonly string[]) {
    const words = ["ask", "--address", server.address, ...args];
    const { code, stdout: out, stderr: err } = await commands.run(words);
    return { code, out, err };
  }

  it("shows rows, a chart, the answer and its SQL, and saves the picture", async () => {
    const file = join(folder, "chart.png");
    const { code, out } = await ask("orders by channel", "--chart", file);
    assert.equal(code, 0);
    assert.match(out, /^channel +number_of_orders\n─+ +─+\nStore +[\d,]+\n/);
    assert.match(out, /\nStore +█+. [\d,]+\n|\nStore +█+ [\d,]+\n/);
    assert.match(out, /Number of orders, by channel\./);
    assert.match(out, /SELECT "orders"\."channel"/);
    assert.equal(readFileSync(file).subarray(1, 4).toString(), "PNG");
  });

  it("saves the rows as CSV and as a workbook, whose numbers are numbers", async () => {
    const [csv, workbook] = [join(folder, "rows.csv"), join(folder, "rows.xlsx")];
    assert.match((await ask("orders by channel", "--rows", csv)).out, /Saved 3 rows to /);
    assert.match(readFileSync(csv, "utf8"), /^channel,number_of_orders\r\nStore,\d+\r\n/);
    await ask("orders by channel", "--rows", workbook);
    const { sheet = new Uint8Array() } = Object.fromEntries(
      Object.entries(unzipSync(readFileSync(workbook))).map(([name, bytes]) => [
        /sheet1\.xml$/.test(name) ? "sheet" : name,
        bytes,
      ]),
    );
    assert.match(Buffer.from(sheet).toString(), /<c r="B2"(?![^>]*t="s")[^>]*><v>\d+<\/v>/);
    const { code, err, out } = await ask("orders by channel", "--rows", "rows.pdf");
    assert.notEqual(code, 0);
    assert.match(err + out, /Use \.csv or \.xlsx/);
  });

  it("prints one object for programs", async () => {
    const { code, out } = await ask("--json", "--fast", "how many stores are there?");
    const { question, rows, chart, warnings } = JSON.parse(out);
    assert.deepEqual(
      { code, question, rows, chart, warnings },
      {
        code: 0,
        question: "how many stores are there?",
        rows: [{ number_of_stores: "10" }],
        chart: null,
        warnings: [],
      },
    );
  });

  it("tells programs its doubts as data, which people read in the answer", async () => {
    const question = "average revenue by segment in 2025";
    const [json, shown] = [await ask("--json", "--fast", question), await ask("--fast", question)];
    const { warnings } = JSON.parse(json.out) as { warnings: readonly string[] };
    const doubt = warnings.find((warning) => warning.includes("do not know per what to average"));
    assert.ok(doubt, json.out);
    assert.equal(shown.out.split(doubt).length, 2, "told once");
  });

  it("ends with 2 when the question was not understood", async () => {
    const { code, out } = await ask("--fast", "glorbify the frumious bandersnatch");
    assert.equal(code, 2, out);
  });

  it("prints errors in one sentence, with exit code 1", async () => {
    const faults: readonly (readonly [readonly string[], RegExp])[] = [
      [["--agent", "nothing", "x"], /^frontdesk: .*dataAgents\/nothing' was not found/],
      [["--chart", "x.bmp", "x"], /^frontdesk: 'x\.bmp' has no supported extension/],
      [
        ["--chart", join(folder, "none", "x.svg"), "x"],
        /^frontdesk: .*x\.svg cannot be written: there is no folder .*none\./,
      ],
      [
        ["--rows", join(folder, "none", "x.csv"), "x"],
        /^frontdesk: .*x\.csv cannot be written: there is no folder .*none\./,
      ],
      [["--output", "name", "x"], /^frontdesk: --output is 'name'; use table, yaml, json\./],
    ];
    const runs = await Promise.all(faults.map(([args]) => ask(...args)));
    for (const [at, { code, out, err }] of runs.entries()) {
      assert.deepEqual([code, out], [1, ""]);
      assert.match(err, faults[at]?.[1] ?? /$^/);
    }
  });

  it("makes a link to an answer with `share`, which refuses a wrong end before it asks", async () => {
    const wrong = await commands.run(["share", "orders", "--days", "soon", "--server", "http://127.0.0.1:1"]);
    assert.deepEqual([wrong.code, /--days is 'soon'/.test(wrong.stderr)], [1, true], wrong.stderr);
    const nothing = await commands.run(["share"]);
    assert.match(nothing.stderr, /For example: frontdesk share "/);
    const { code, stdout } = await commands.run(["share", "--server", server.address, "how many stores are there?"]);
    assert.equal(code, 0);
    assert.match(stdout, /\/console\/projects\/local\/locations\/us\/dataAgents\/shop\/sharedAnswers\/[\w-]+\n$/);
    const unanswered = await commands.run(["share", "--server", server.address, "blorb the frobnicator"]);
    assert.equal(unanswered.code, 2);
  });
});
