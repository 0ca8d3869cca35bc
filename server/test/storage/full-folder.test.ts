import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";

const PARENT = "projects/p/locations/us";
const APP = `${PARENT}/apps/full-disk`;

/** A file system of its own, which is soon full. */
const disk = mkdtempSync(join(tmpdir(), "frontdesk-disk-"));
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", disk]).status === 0;
after(() => {
  if (mounted) spawnSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
});

describe("a data folder on a full disk (DB-24)", { skip: mounted ? false : "this user may not mount" }, () => {
  let server: TestServer;
  const filler = join(disk, "filler");
  before(async () => {
    server = await startTestServer({ dataDir: join(disk, "data") });
    const rest = restOf(() => server);
    await rest("POST", `${PARENT}/apps?appId=full-disk`, { displayName: "Full" });
    await rest("POST", `${APP}/agents?agentId=root-agent`, { displayName: "Root", instruction: "Greet." });
    await rest("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
  });
  after(() => server?.stop());

  const turn = async (session: string) => {
    const name = `${APP}/sessions/session-${session}`;
    const response = await fetch(`${server.address}/v1beta/${name}:runSession`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ config: { session: name }, inputs: [{ text: "hello ".repeat(4_000) }] }),
    });
    await response.text();
    if (response.ok) answered.set(session, (answered.get(session) ?? 0) + 1);
    return response.status;
  };
  const upload = async () => {
    const path = `/upload/v1beta/${PARENT}/dataFiles?displayName=rows.csv`;
    const response = await fetch(server.address + path, { method: "POST", body: `a,b\n${"1,2\n".repeat(50_000)}` });
    await response.text();
    return response.status;
  };
  const answered = new Map<string, number>();
  const turns = () => Promise.all(Array.from({ length: 12 }, (_, at) => turn(`number-${at}`)));
  const readyz = async () => (await fetch(`${server.address}/readyz`)).status;

  it("refuses turns, is not ready, and goes on without a restart when there is space", async () => {
    assert.deepEqual(new Set(await turns()), new Set([200]));
    // From here on the log of writes begins anew in the space that it has, which the row of the check finds there, and some turns.
    const file = new DatabaseSync(join(disk, "data", "frontdesk.db"));
    file.exec("pragma wal_checkpoint(restart)");
    file.close();
    assert.throws(() => {
      for (;;) appendFileSync(filler, Buffer.alloc(4_096));
    }, /ENOSPC/);
    assert.equal(await upload(), 503);
    assert.deepEqual(readdirSync(join(disk, "data", "uploads")), [], "nothing of an upload stays (DB-61)");
    while ((await turns()).includes(200));
    assert.equal(await readyz(), 503);
    rmSync(filler);
    assert.equal(await readyz(), 200);
    assert.deepEqual(new Set(await turns()), new Set([200]));
    for (const [session, count] of answered) {
      const { turnCount } = await restOf(() => server)("GET", `${APP}/conversations/session-${session}`);
      assert.equal(turnCount, count, "every answered turn is stored, and no other");
    }
  });
});
