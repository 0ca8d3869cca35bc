import assert from "node:assert/strict";
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { AppSnapshotSchema } from "@frontdesk/protos/ces/app_version";
import { SessionConfigSchema } from "@frontdesk/protos/ces/session_service";
import { createLogger, systemClock } from "#base";
import type { SessionEngine, TurnRequest } from "#session";
import { Code, ConnectError } from "#status";
import { startTestServer } from "#testing";
import { readConfig } from "../config.ts";
import { createSessionRecorder } from "./record-sessions.ts";
import { replay } from "./replay.ts";

const HOME = join(import.meta.dirname, "..", "..", "..", "..");
const EXAMPLE = join(HOME, "examples", "order-desk", "app");
const SESSION = "projects/local/locations/us/apps/order-desk/sessions/recorded";
const config = readConfig([], { FRONTDESK_CACHE: join(HOME, "node_modules", ".cache", "frontdesk") });

describe("a recorded session", () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "frontdesk-recording-"));
    file = join(folder, `${SESSION}.yaml`);
    await using server = await startTestServer({ example: true, config: { recordDir: folder } });
    for (const text of ["hello", "Where is my order A-1001?"]) {
      const { status } = await fetch(`${server.address}/v1beta/${SESSION}:runSession`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ config: { session: SESSION }, inputs: [{ text }] }),
      });
      assert.equal(status, 200);
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** The recording with one text replaced by another. */
  async function edited(text: string, by: string): Promise<string> {
    const recording = await readFile(file, "utf8");
    assert.ok(recording.includes(text));
    const path = join(folder, "edited.yaml");
    await writeFile(path, recording.replace(text, by));
    return path;
  }

  /** The example app with a sentence more in every instruction. */
  async function reworded(): Promise<string> {
    const app = join(folder, "app");
    await cp(EXAMPLE, app, { recursive: true });
    const files = (await readdir(app, { recursive: true })).filter((path) => path.endsWith("instruction.txt"));
    assert.notDeepEqual(files, []);
    for (const path of files) await appendFile(join(app, path), "\nBe brief.\n");
    return app;
  }

  it("replays as recorded, tool calls included", async () => {
    assert.deepEqual(await replay({ file }, config), { turns: 2, difference: undefined });
  });

  it("replays as recorded with an app whose prompts have changed", async () => {
    assert.deepEqual(await replay({ file, app: await reworded() }, config), { turns: 2, difference: undefined });
  });

  it("differs where the model gets another request", async () => {
    const { turns, difference } = await replay(
      { file: await edited("- text: hello\n", "- text: good night\n") },
      config,
    );
    assert.deepEqual(
      [turns, difference?.turn, difference?.what],
      [1, 1, "the model gets another request than recorded"],
    );
    assert.match(difference?.recorded ?? "", /text: hello/);
    assert.match(difference?.replayed ?? "", /text: good night/);
  });

  it("differs where a tool gets other arguments", async () => {
    const call = "      name: look_up_order\n        args:\n          order_id: A-1001";
    const { difference } = await replay({ file: await edited(call, call.replace("1001", "1002")) }, config);
    assert.deepEqual(
      [difference?.turn, difference?.what],
      [2, "the tool 'look_up_order' is called with other arguments than recorded"],
    );
  });

  it("differs where the client gets other outputs", async () => {
    const output = /outputs:\n {2}- text: "(Hello[^"]*)"/.exec(await readFile(file, "utf8"));
    const { difference } = await replay(
      { file: await edited(output?.[0] ?? "", "outputs:\n  - text: Welcome") },
      config,
    );
    assert.deepEqual([difference?.turn, difference?.what], [1, "the client gets other outputs than recorded"]);
    assert.match(difference?.recorded ?? "", /text: Welcome/);
  });

  it("is rejected when the file is not a recording, or starts in the middle", async () => {
    const other = join(folder, "other.yaml");
    const refused = (error: unknown) => error instanceof ConnectError && error.code === Code.FailedPrecondition;
    for (const text of ["kind: turn\n", "kind: app\n---\nkind: *turn*\n", "kind: app\n---\nkind: [\n"]) {
      await writeFile(other, text);
      await assert.rejects(replay({ file: other }, config), refused);
    }
    await assert.rejects(replay({ file: await edited("turnIndex: 1", "turnIndex: 7") }, config), refused);
  });
});

describe("a recorder", () => {
  it("skips apps that redact or do not log", async () => {
    const folder = await mkdtemp(join(tmpdir(), "frontdesk-recording-"));
    const recorder = createSessionRecorder(folder, systemClock, createLogger("silent"));
    const engine = recorder.record({ runTurn: async function* () {} } as unknown as SessionEngine);
    for (const loggingSettings of [
      { redactionConfig: { enableRedaction: true } },
      { conversationLoggingSettings: { disableConversationLogging: true } },
    ]) {
      const snapshot = create(AppSnapshotSchema, { app: { loggingSettings } });
      const request = { session: SESSION, config: create(SessionConfigSchema), inputs: [], snapshot: { snapshot } };
      for await (const _ of engine.runTurn(request as unknown as TurnRequest));
    }
    await recorder.close();
    assert.deepEqual(await readdir(folder), []);
    await rm(folder, { recursive: true });
  });
});
