import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { z } from "zod";
import { DataSuiteSchema } from "#evaluation";
import { openCommandLine, runCommand } from "../command-line.ts";
import { evalFolder } from "./eval-command.ts";

const ROOT = join(import.meta.dirname, "../../..");
const AGENT = join(ROOT, "examples/shop/agent.yaml");
const SUITE = join(ROOT, "examples/shop/tests");
const SCHEMA = join(ROOT, "docs/schemas/data-suite.schema.json");

describe("frontdesk eval of a data agent (EVAL-79)", () => {
  const commands = openCommandLine();
  after(() => commands[Symbol.asyncDispose]());

  it("asks the questions of suites, and reports abstentions apart", async () => {
    using folder = evalFolder(runCommand);
    const { code, out, err } = await folder.run(
      AGENT,
      SUITE,
      "--junit",
      "junit.xml",
      "--ctrf",
      "ctrf.json",
      "--markdown",
      "report.md",
    );
    assert.equal(code, 0, out + err);
    assert.match(out, /\n4 passed, 0 failed, 0 not measured; 1 of 4 questions abstained in /);
    const read = (name: string) => readFileSync(join(folder.path, name), "utf8");
    assert.match(read("junit.xml"), /<testsuites [^>]*tests="4" failures="0"/);
    assert.match(read("report.md"), /4 passed, 0 failed, 0 not measured; 1 of 4 questions abstained/);
    const { results } = JSON.parse(read("ctrf.json"));
    assert.deepEqual(results.extra, { questions: 4, abstained: 1 });
    assert.deepEqual(
      results.tests.map(({ extra }: { extra: { abstained: boolean } }) => extra.abstained),
      [false, false, false, true],
    );
  });

  it("fails where an answer is wrong or missing, and says which of the two", async () => {
    using folder = evalFolder(commands.run);
    const file = folder.write(
      "suite.yaml",
      "questions:\n  - {question: how many stores are there?, tags: [a], gold: {rows: [{n: 11}]}}\n  - {question: how many employees are there?, tags: [b]}\n",
    );
    const { code, out } = await folder.run(AGENT, file, "--junit", "junit.xml");
    assert.equal(code, 1);
    assert.match(out, /gold rows: failed\n +expected n\n +11\n +observed number_of_stores\n +10/);
    assert.match(out, /answered: failed\n[\s\S]*abstained: [\s\S]*1 of 2 questions abstained/);
    assert.match(readFileSync(join(folder.path, "junit.xml"), "utf8"), /type="failed"[\s\S]*type="abstained"/);
    const gates = folder.write("gates.yaml", "gates:\n  - {name: half, atLeast: 0.9, tag: none}\n");
    assert.notEqual((await folder.run(AGENT, file, "--tags", "a", "--gate", gates)).code, 0);
  });

  it("asks by the semantic model that the configuration gives to the agent, which is never wrong in silence (SEM-10)", async () => {
    using folder = evalFolder(commands.run);
    const model = join(ROOT, "examples/shop/shop.model.yaml");
    const config = folder.write("config.yaml", `analytics: { semanticModels: { agent: ${JSON.stringify(model)} } }\n`);
    const { code, out, err } = await folder.run(
      AGENT,
      join(ROOT, "examples/shop/semantic-model-tests.yaml"),
      "--config",
      config,
    );
    assert.equal(code, 0, out + err);
    assert.match(out, /\n29 passed, 0 failed, 0 not measured; 11 of 29 questions abstained in /);
  });

  it("refuses what it cannot run, with exit code 2", async () => {
    using folder = evalFolder(commands.run);
    const broken = folder.write("broken.yaml", "questions:\n  - {ask: how many?}\n");
    const agent = folder.write("agent.yaml", "dataAnalyticsAgent: {publishedContext: {tables: 1}}\n");
    for (const [args, why] of [
      [[AGENT], /name a suite of questions/],
      [[AGENT, broken], /broken\.yaml:2/],
      [[agent, broken], /is no data agent/],
      [[AGENT, SUITE, "--against", "v1"], /--against is for app packages/],
    ] as const) {
      const { code, out, err } = await folder.run(...args);
      assert.equal(code, 2, out + err);
      assert.match(out + err, why);
    }
  });

  it("has a JSON schema of its suites, for editors", () => {
    const schema = {
      $id: "data-suite.schema.json",
      title: "A suite of questions to a data agent",
      ...z.toJSONSchema(DataSuiteSchema, { io: "input" }),
    };
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    if (process.env.UPDATE_PAGES) writeFileSync(SCHEMA, text);
    assert.deepEqual(JSON.parse(readFileSync(SCHEMA, "utf8")), JSON.parse(text));
  });
});
