import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type Config, readConfig } from "../config.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-google-"));
});
after(() => rm(folder, { recursive: true }));

async function configOf(yaml: string, environment: Readonly<Record<string, string>> = {}): Promise<Config> {
  const file = join(folder, "config.yaml");
  await writeFile(file, yaml);
  return readConfig(["--config", file], environment);
}

describe("the sections of services of Google Cloud", () => {
  it("are disabled when absent, and enabled when empty", async () => {
    const { dialogflow, dlp } = await configOf("dialogflow: {}\n");
    assert.deepEqual(
      [dialogflow?.timeoutMs, dialogflow?.endpoint, dialogflow?.projects, dlp],
      [30_000, undefined, undefined, undefined],
    );
  });

  it("set address, timeout, projects and the variable with a token", async () => {
    const section =
      "{ endpoint: 'http://127.0.0.1:9/', accessTokenEnv: MY_TOKEN, timeoutSeconds: 2, projects: [a, b] }";
    const { dlp } = await configOf(`dlp: ${section}\n`, { MY_TOKEN: "t-1" });
    const { accessToken, ...rest } = dlp ?? {};
    assert.deepEqual(rest, { endpoint: "http://127.0.0.1:9", timeoutMs: 2_000, projects: ["a", "b"] });
    assert.equal(await accessToken?.(), "t-1");
  });

  it("are rejected when the variable is empty, the address is invalid, or a key is unknown", async () => {
    await assert.rejects(
      configOf("dlp: { accessTokenEnv: MY_TOKEN }\n"),
      /Cloud DLP: the variable MY_TOKEN .* is empty/,
    );
    await assert.rejects(
      configOf("dialogflow: { endpoint: flows }\n"),
      /dialogflow\.endpoint: must be an http or https URL/,
    );
    await assert.rejects(configOf("dialogflow: { token: secret }\n"), /dialogflow/);
  });
});
