import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { TEST_CACHE } from "#testing";
import { PROGRAM } from "../program.ts";
import { restOf } from "../rest.ts";

const LOCATION = "projects/p/locations/us";
const APP = `${LOCATION}/apps/waiting`;
/** The installed command, which runs a server as a process of its own; in a clone by the launcher. */
const COMMAND = join(import.meta.dirname, "..", "..", "bin", "frontdesk.mjs");
/** Those of the shell are not there on Windows. */
const ON_LINUX = { skip: process.platform === "linux" ? false : "reads /proc" };

/** A server as a shell starts it, in a process group of its own, with an app whose turns wait for another server; `release` answers them. `program`: what `start` is given to. */
async function startWaiting(
  t: TestContext,
  program: readonly string[] = ["--disable-warning=ExperimentalWarning", PROGRAM],
) {
  const outside = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const other = createServer(async (_, response) => {
    asked.resolve();
    await outside.promise;
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(other, "listening");
  t.after(() => other.close());
  const place = `127.0.0.1:${(other.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-terminal-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const args = [...program, "start", "--port", "0", "--data", folder, "--log", "error"];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
    env: { ...process.env, FRONTDESK_CACHE: TEST_CACHE, FRONTDESK_SANDBOX_GUESTS: "2", FRONTDESK_EGRESS_ALLOW: place },
  });
  t.after(() => child.kill("SIGKILL"));
  const address = await addressOf(child);
  const rest = restOf(() => ({ address }));
  await rest("POST", `${LOCATION}/apps?appId=waiting`, { displayName: "Waiting" });
  const pythonCode = `def before_agent_callback(callback_context):
    ces_requests.get("http://${place}/", timeout=60)
    return Content.model_validate({"role": "model", "parts": [{"text": "Waited."}]})
`;
  const agent = { displayName: "Root", llmAgent: {}, instruction: "Wait.", beforeAgentCallbacks: [{ pythonCode }] };
  await rest("POST", `${APP}/agents?agentId=root-agent`, agent);
  await rest("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
  return { child, pid: child.pid ?? 0, rest, asked: asked.promise, release: outside.resolve };
}

async function addressOf(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of child.stderr ?? []) {
    text += chunk;
    const address = /up at (http:[^\s"]+)/.exec(text)?.[1];
    if (address) return address;
  }
  return assert.fail(`the server did not start: ${text}`);
}

const turn = (rest: ReturnType<typeof restOf>) =>
  rest("POST", `${APP}/sessions/session-1:runSession`, { config: {}, inputs: [{ text: "Hi" }] });

/** The processes that come of one, by their id. */
function descendants(pid: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      // What follows the name, which may have any character, begins with the state and the parent.
      const [, parent] = readFileSync(`/proc/${entry}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      parents.set(Number(entry), Number(parent));
    } catch {
      // It has ended.
    }
  }
  const below = (one: number): number[] =>
    [...parents].filter(([, parent]) => parent === one).flatMap(([id]) => [id, ...below(id)]);
  return below(pid);
}

it("a turn in Python that runs when somebody presses Ctrl-C in the terminal is finished, and the server ends then", {
  ...ON_LINUX,
  timeout: 120_000,
}, async (t) => {
  const { child, pid, rest, asked, release } = await startWaiting(t);
  const answer = turn(rest);
  await asked;
  const ended = once(child, "exit");
  // A terminal signals each process of the group that is in front.
  process.kill(-pid, "SIGINT");
  await delay(500);
  release();
  assert.equal((await answer).outputs[0].text, "Waited.");
  assert.deepEqual(await ended, [0, null]);
});

it("a server that is stopped by Ctrl-C in its first seconds still writes the sample shop, and says nothing of it", {
  ...ON_LINUX,
  timeout: 120_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-terminal-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const args = ["--disable-warning=ExperimentalWarning", PROGRAM, "start", "--port", "0", "--data", folder];
  const child = spawn(process.execPath, [...args, "--log", "error", "--log-format", "pretty"], {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
    env: { ...process.env, FRONTDESK_CACHE: TEST_CACHE, FRONTDESK_SANDBOX_GUESTS: "1" },
  });
  t.after(() => child.kill("SIGKILL"));
  const ended = once(child, "exit");
  let text = "";
  for await (const chunk of child.stderr) {
    if (text === "") process.kill(-(child.pid ?? 0), "SIGINT");
    text += chunk;
  }
  assert.deepEqual(await ended, [0, null]);
  assert.match(text, /Frontdesk is up at/);
  assert.doesNotMatch(text, /could not be written|Error/);
  assert.deepEqual(readdirSync(join(folder, "samples")), ["shop.duckdb"]);
});

it("what a server started ends with it, also when it is killed in the middle of a turn", {
  ...ON_LINUX,
  timeout: 120_000,
}, async (t) => {
  const { child, pid, rest, asked, release } = await startWaiting(t);
  const failed = assert.rejects(turn(rest));
  await asked;
  const started = descendants(pid);
  assert.ok(started.length > 0);
  child.kill("SIGKILL");
  await failed;
  while (started.some((one) => readState(one))) await delay(50);
  release();
});

it("a server finishes its turn and ends when the command that started it is killed", {
  ...ON_LINUX,
  timeout: 120_000,
}, async (t) => {
  const { child, pid, rest, asked, release } = await startWaiting(t, [COMMAND]);
  const answer = turn(rest);
  await asked;
  const started = descendants(pid);
  assert.ok(started.length > 0);
  child.kill("SIGKILL");
  await delay(500);
  release();
  assert.equal((await answer).outputs[0].text, "Waited.");
  while (started.some((one) => readState(one))) await delay(50);
});

it("frontdesk python and what it started end when somebody presses Ctrl-C", {
  ...ON_LINUX,
  timeout: 120_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-terminal-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const file = join(folder, "endless.py");
  writeFileSync(file, "def endless():\n    while True:\n        pass\n");
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", PROGRAM, "python", file], {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
    env: { ...process.env, FRONTDESK_CACHE: TEST_CACHE },
  });
  t.after(() => child.kill("SIGKILL"));
  let text = "";
  child.stderr.on("data", (chunk) => {
    text += chunk;
  });
  const [pid, ended] = [child.pid ?? 0, once(child, "exit")];
  while (descendants(pid).length === 0) await delay(50);
  const started = descendants(pid);
  process.kill(-pid, "SIGINT");
  assert.deepEqual([await ended, text], [[1, null], "frontdesk: interrupted.\n"]);
  while (started.some((one) => readState(one))) await delay(50);
});

it("a command ends as Ctrl-C ends programs, so that the shell ends the loop that it is in", {
  ...ON_LINUX,
  timeout: 120_000,
}, async (t) => {
  const asked = Promise.withResolvers<void>();
  const silent = createServer(() => asked.resolve()).listen(0, "127.0.0.1");
  await once(silent, "listening");
  t.after(() => silent.closeAllConnections());
  t.after(() => silent.close());
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const child = spawn(process.execPath, [COMMAND, "apps", "list", "--server", address], {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  t.after(() => child.kill("SIGKILL"));
  const ended = once(child, "exit");
  await asked.promise;
  process.kill(-(child.pid ?? 0), "SIGINT");
  assert.deepEqual(await ended, [null, "SIGINT"]);
});

/** Whether a process runs: one that has ended and that nobody asked for has the state Z. */
function readState(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.[0] !== "Z";
  } catch {
    return false;
  }
}
