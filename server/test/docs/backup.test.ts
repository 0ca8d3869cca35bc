import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { promisify } from "node:util";
import { startPostgres, startTestServer, type TestServer, withoutPostgres } from "#testing";
import { restOf } from "../rest.ts";
import { commandBlocks, shown } from "./documented-commands.ts";

const run = promisify(execFile);
const APP = "projects/p/locations/us/apps/kept-app";
const PAGE = commandBlocks().filter(({ page }) => page === "docs/backup.md");

/** The commands of the page that begin so, as a shell runs them in a folder. */
async function follow(begins: readonly string[], cwd: string, variables: NodeJS.ProcessEnv = {}): Promise<void> {
  const commands = PAGE.flatMap((block) => block.commands).filter((command) =>
    begins.some((begin) => shown(command).startsWith(begin)),
  );
  assert.equal(commands.length, begins.length);
  const script = ["set -eu", `node() { "${process.execPath}" "$@"; }`, ...commands].join("\n");
  await run("bash", ["-c", script], { cwd, env: { ...process.env, ...variables } });
}

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-backup-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

const addApp = (server: TestServer) =>
  restOf(() => server)("POST", "projects/p/locations/us/apps?appId=kept-app", { displayName: "Kept" });

async function appOf(server: TestServer): Promise<string> {
  return (await restOf(() => server)("GET", APP)).displayName;
}

describe("a backup, as docs/backup.md says", () => {
  it("is taken of the data folder of a running server, and has what was answered before", async (t) => {
    const place = emptyFolder(t);
    await using server = await startTestServer({ dataDir: join(place, ".frontdesk") });
    await addApp(server);
    await follow(["mkdir -m 700 backup", "node -e", "for name in blobs"], place);
    assert.ok(!existsSync(join(place, "backup", "sealing.key")));
    copyFileSync(join(place, ".frontdesk", "sealing.key"), join(place, "sealing.key"));
    await follow(["cp -pR backup restored", "cp sealing.key"], place);
    {
      await using restored = await startTestServer({ dataDir: join(place, "restored") });
      assert.equal(await appOf(restored), "Kept");
    }
    await follow(["rm -r restored/"], place);
    await using emptied = await startTestServer({ dataDir: join(place, "restored") });
    await assert.rejects(appOf(emptied));
  });

  it("is taken of PostgreSQL while servers run, and restored into an empty database", {
    skip: withoutPostgres(),
  }, async (t) => {
    const place = emptyFolder(t);
    const postgres = await startPostgres();
    t.after(() => postgres.stop());
    const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
    const startOn = (url: string) => startTestServer({ config: { database: { url, connections: 4 }, sealing } });
    await using server = await startOn(postgres.url);
    await addApp(server);
    const restore = ['psql "$FRONTDESK_DATABASE_URL" -c \'create database', "pg_restore"];
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell replaces it
    const steps = ["pg_dump", ...restore, 'psql "${FRONTDESK_DATABASE_URL%/*}/restored" -c analyze'];
    await follow(steps, place, { FRONTDESK_DATABASE_URL: postgres.url });
    const url = postgres.url.replace(/postgres$/, "restored");
    {
      await using restored = await startOn(url);
      assert.equal(await appOf(restored), "Kept");
    }
    await follow(['psql "$FRONTDESK_DATABASE_URL" -c \'drop schema'], place, { FRONTDESK_DATABASE_URL: url });
    await using emptied = await startOn(url);
    await assert.rejects(appOf(emptied));
  });
});
