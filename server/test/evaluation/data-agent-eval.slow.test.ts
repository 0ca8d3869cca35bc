import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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

  it("waits for a model that is away for a moment (EVAL-93)", async () => {
    const provider = await startRestartingProvider("```sql\nselect 10 as stores\n```");
    after(() => provider.server.close());
    using folder = evalFolder(commands.run);
    const providers = { local: { type: "openai", baseUrl: provider.address, apiKey: "a-key" } };
    const config = folder.write("config.yaml", JSON.stringify({ models: { providers } }));
    const suite = folder.write(
      "suite.yaml",
      "questions:\n  - {question: how many stores are there?, gold: {rows: [{stores: 10}]}}\n  - {question: and now?, gold: {rows: [{stores: 10}]}}\n",
    );
    const { code, out, err } = await folder.run(AGENT, suite, "--config", config, "--model", "local/any");
    assert.equal(code, 0, out + err);
    assert.match(out, /\n2 passed, 0 failed, 0 not measured/);
    assert.equal(provider.refused(), AWAY);
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

/** Calls that the provider refuses after the first: more than are repeated at once. */
const AWAY = 8;

/** A provider with the Chat Completions wire that gives one answer always, and is away for some calls. */
async function startRestartingProvider(content: string) {
  let calls = 0;
  let refused = 0;
  const server = createServer((request, response) => {
    request.resume();
    calls += 1;
    if (calls > 1 && refused < AWAY) {
      refused += 1;
      response.writeHead(503, { "retry-after": "0" }).end("restarting");
      return;
    }
    const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ id: "1", object: "chat.completion", created: 1, model: "any", choices }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { server, address: `http://127.0.0.1:${port}/v1`, refused: () => refused };
}
