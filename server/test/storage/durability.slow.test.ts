import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { after, describe, it } from "node:test";
import { createLogger, systemClock } from "#base";
import { openStorage } from "#storage";
import { headOf, SESSIONS, sessionName, turnOf } from "./__fixtures__/append-until-killed.ts";

const ROUNDS = 4;
const folder = mkdtempSync(join(tmpdir(), "frontdesk-killed-"));
after(() => rmSync(folder, { recursive: true, force: true }));

describe("a server that is killed while it stores turns", () => {
  it("has every acknowledged turn, whole, and no part of any other", async () => {
    let acknowledgedInAll = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const acknowledged = await appendUntilKilled(Math.random() * 200);
      acknowledgedInAll += [...acknowledged.values()].reduce((sum, count) => sum + count, 0);
      await checkStored(acknowledged);
    }
    assert.ok(acknowledgedInAll > 0);
  });
});

/**
 * Runs a server on the folder and kills it this long after its first acknowledged turn of the round. Returns the last acknowledged turn of
 * each session.
 */
async function appendUntilKilled(milliseconds: number): Promise<ReadonlyMap<string, number>> {
  const script = new URL("./__fixtures__/append-until-killed.ts", import.meta.url);
  const child = fork(script, [folder], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += String(chunk);
  });
  const closed = once(child, "close");
  await once(child.stdout as Readable, "data");
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  child.kill("SIGKILL");
  await closed;
  const acknowledged = new Map<string, number>();
  for (const line of completeLines(output)) {
    const [session = "", index] = line.split(" ");
    acknowledged.set(session, Number(index));
  }
  return acknowledged;
}

/** The last line may have been cut by the kill. */
function completeLines(text: string): readonly string[] {
  return text.split("\n").slice(0, -1);
}

async function checkStored(acknowledged: ReadonlyMap<string, number>): Promise<void> {
  const { conversations, close } = await openStorage({
    dataDir: folder,
    clock: systemClock,
    logger: createLogger("silent"),
  });
  for (const session of SESSIONS) {
    const head = await conversations.getHead(sessionName(session));
    const turns = await conversations.getTurns(sessionName(session));
    assert.ok(
      turns.length >= (acknowledged.get(session) ?? 0),
      `${session}: ${turns.length} stored, ${acknowledged.get(session)} acknowledged`,
    );
    assert.deepEqual(
      turns,
      turns.map((_, at) => turnOf(session, at + 1)),
    );
    assert.deepEqual(head, turns.length === 0 ? undefined : headOf(session, turns.length));
  }
  await close();
}
