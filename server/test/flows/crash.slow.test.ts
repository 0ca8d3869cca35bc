import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { placeSample, startTestServer } from "#testing";
import { PROGRAM } from "../program.ts";

const APP = "projects/local/locations/us/apps/order-desk";
const CACHE = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "frontdesk");

/** The product as a process of its own, so that it can be killed; resolves with its address. */
async function spawnServer(dataDir: string): Promise<{ child: ChildProcess; address: string }> {
  await placeSample(dataDir);
  const args = [
    "--disable-warning=ExperimentalWarning",
    PROGRAM,
    "start",
    "--port",
    "0",
    "--data",
    dataDir,
    "--log",
    "error",
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, FRONTDESK_CACHE: CACHE, FRONTDESK_SANDBOX_GUESTS: "1" },
  });
  let text = "";
  for await (const chunk of child.stderr ?? []) {
    text += chunk;
    const address = /up at (http:[^\s"]+)/.exec(text)?.[1];
    if (address) return { child, address };
  }
  child.kill("SIGKILL");
  return assert.fail(`the server did not start: ${text}`);
}

async function runTurn(address: string, session: string, text: string): Promise<number | undefined> {
  try {
    const response = await fetch(`${address}/v1beta/${session}:runSession`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ config: { session }, inputs: [{ text }] }),
    });
    const { outputs } = (await response.json()) as { outputs?: { turnIndex?: number; turnCompleted?: boolean }[] };
    const last = outputs?.at(-1);
    return last?.turnCompleted ? last.turnIndex : undefined;
  } catch {
    return undefined; // The server was killed before it answered.
  }
}

interface StoredTurn {
  readonly messages: readonly unknown[];
  readonly rootSpan: { readonly endTime?: string };
}

/** The turns of a stored conversation, whose count has to agree with them. */
async function storedTurns(address: string, session: string): Promise<readonly StoredTurn[]> {
  const response = await fetch(`${address}/v1beta/${session.replace("/sessions/", "/conversations/")}`);
  if (response.status === 404) return [];
  const { turns = [], turnCount = 0 } = (await response.json()) as { turns?: StoredTurn[]; turnCount?: number };
  assert.equal(turns.length, turnCount);
  return turns;
}

describe("kill -9 in the middle of 200 turns", () => {
  it("keeps every answered turn completely, and of unanswered turns nothing in part", async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-crash-"));
    const { child, address } = await spawnServer(dataDir);
    t.after(async () => {
      child.kill("SIGKILL");
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    });
    const answered = new Map<string, number>();
    let count = 0;
    const killed = new Promise((resolve) => child.once("exit", resolve));
    const sessions = Array.from({ length: 20 }, (_, index) => `${APP}/sessions/crash-${index}`);
    await Promise.all(
      sessions.map(async (session) => {
        for (let turn = 1; turn <= 10; turn++) {
          const index = await runTurn(address, session, turn % 2 ? "Where is my order A-1001?" : "What can you do?");
          if (index === undefined) return;
          answered.set(session, index);
          if (++count === 100) child.kill("SIGKILL");
        }
      }),
    );
    await killed;
    assert.ok(count >= 100 && count < 200, `${count} turns were answered`);

    await using server = await startTestServer({ dataDir });
    for (const session of sessions) {
      const turns = await storedTurns(server.address, session);
      const known = answered.get(session) ?? 0;
      // A turn whose commit was durable when the answer was cut off may be there: one more, whole.
      assert.ok(
        turns.length === known || turns.length === known + 1,
        `${session}: ${turns.length} stored, ${known} answered`,
      );
      for (const turn of turns) assert.ok(turn.messages.length >= 2 && turn.rootSpan.endTime);
    }
    const [session = ""] = sessions;
    const before = await storedTurns(server.address, session);
    assert.equal(await runTurn(server.address, session, "What can you do?"), before.length + 1);
  });
});
