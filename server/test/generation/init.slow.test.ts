// `frontdesk init`: templates that need no model, and a package from a description.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { copyTemplate, evaluatePackage, generatePackage, lintApp, packFolder, readConfig, templateNames } from "#app";
import { type ModelServer, modelServer } from "./model-server.ts";
import { writtenApp } from "./recorded-apps.ts";

const CACHE = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "frontdesk");

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-init-test-"));
});
after(() => rm(folder, { recursive: true, force: true }));

const config = () => readConfig(["--data", join(folder, "data"), "--log", "silent"], { FRONTDESK_CACHE: CACHE });

describe("the templates", async () => {
  for (const name of await templateNames()) {
    it(`'${name}' is a package about which the linter has nothing to say, and whose goldens pass without a model`, async () => {
      const app = join(folder, name);
      await copyTemplate(name, app);
      assert.deepEqual((await lintApp({ folder: app }, config())).findings, []);
      const { cases, verdict } = await evaluatePackage(
        {
          app: { name, ...(await packFolder(app, 0)) },
          baselines: new Map(),
          tests: undefined,
          tags: [],
          runs: 1,
          signal: new AbortController().signal,
        },
        config(),
      );
      assert.deepEqual([verdict, cases.length], ["passed", 3]);
    });
  }

  it("are copied into new folders only", async () => {
    await copyTemplate("faq", join(folder, "taken"));
    await assert.rejects(copyTemplate("booking", join(folder, "taken")), /is not empty: it has/);
    await assert.rejects(
      copyTemplate("poker", join(folder, "new")),
      /'poker' is no template; there are booking, faq, returns/,
    );
    assert.equal(existsSync(join(folder, "new")), false);
  });
});

describe("a package from a description", () => {
  let recorded: ModelServer;
  before(async () => {
    recorded = await modelServer("openai");
  });
  after(() => recorded[Symbol.asyncDispose]());

  const request = (name: string) => ({
    description: "Answers questions.",
    files: [{ fileName: "hours.txt", mimeType: "application/octet-stream", data: Buffer.from("Open from 9 to 18.") }],
    folder: join(folder, name),
    onProgress: () => {},
    signal: new AbortController().signal,
  });

  it("is the folder of an app with its goldens, which the linter likes", async () => {
    const app = await writtenApp("faq");
    recorded.plays(app.goldens);
    recorded.answers.push(app);
    const explanation = await generatePackage(request("described"), { ...config(), models: recorded.models });
    assert.match(explanation, /Goldens: 3 of 3 passed/);
    assert.ok(recorded.asked[0]?.material.includes("Open from 9 to 18."));
    const made = join(folder, "described");
    assert.deepEqual((await readdir(join(made, "evaluations"))).length, 3);
    assert.deepEqual((await lintApp({ folder: made }, config())).findings, []);
  });

  it("that fails leaves nothing behind", async () => {
    recorded.answers.push("no", "no", "no");
    await assert.rejects(
      generatePackage(request("failed"), { ...config(), models: recorded.models }),
      /gave no answer that can be used/,
    );
    assert.deepEqual(await readdir(join(folder, "failed")), []);
  });
});
