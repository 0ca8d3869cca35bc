import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { unavailable } from "#status";
import { say, startTestServer, type TestServer } from "#testing";
import { emptyApp } from "../generation/generate.ts";
import { type Rest, restOf } from "../rest.ts";
import { AssistantModel, addsClerk } from "./assistant-model.ts";

const model = new AssistantModel();
let folder: string;
let temporary: string;
let dataDir: string;
let server: TestServer;
let rest: Rest;
let app: string;
const { TMPDIR } = process.env;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-warm-"));
  dataDir = join(folder, "data");
  temporary = join(folder, "temporary");
  await mkdir(temporary);
  // What changes are tried on has its data in the folder of temporary files.
  process.env.TMPDIR = temporary;
  server = await startTestServer({ model, dataDir });
  rest = restOf(() => server);
  app = await emptyApp(server, "the-desk");
});
after(async () => {
  await server[Symbol.asyncDispose]();
  // Other test files run in the same process.
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await rm(folder, { recursive: true, force: true });
});

const newSession = async () => (await rest("POST", `${app}/assistantSessions`, {})).name;
const trialServers = async () => (await readdir(temporary)).filter((name) => name.startsWith("frontdesk-generation-"));
const talk = (assistantSession: string, text: string) =>
  rest("POST", `${app}:runAssistant`, {
    assistantSession,
    message: { role: "user", chunks: [{ text }], eventTime: "2026-01-01T00:00:00Z" },
  });

describe("what a conversation tries its changes on (GEN-14)", () => {
  it("is opened once for two turns, the second of which knows nothing of the first one's draft", async () => {
    const session = await newSession();
    model.answers = addsClerk(app);
    await talk(session, "Add a clerk.");
    const first = await trialServers();
    assert.equal(first.length, 1);
    model.answers = addsClerk(app);
    const { state } = await talk(session, "Once more, add a clerk.");
    assert.equal(state, "AWAITING_CONFIRMATION");
    assert.deepEqual(await trialServers(), first);
  });

  it("is taken along by a turn that fails", async () => {
    const session = await newSession();
    const before = await trialServers();
    model.answers = [unavailable("The model is tired.")];
    await assert.rejects(talk(session, "Hello."), /tired/);
    assert.deepEqual(await trialServers(), before);
  });

  it("goes with the server, and the conversation goes on at the next one", async () => {
    const session = await newSession();
    model.answers = [say("Hello.")];
    await talk(session, "Hello.");
    await server[Symbol.asyncDispose]();
    assert.deepEqual(await trialServers(), []);
    server = await startTestServer({ model, dataDir });
    model.answers = [say("Still here.")];
    await talk(session, "Are you there?");
    assert.equal((await trialServers()).length, 1);
  });
});
