import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { it } from "node:test";
import { startTestServer } from "#testing";
import { PROGRAM } from "../program.ts";

const FAQ = join(import.meta.dirname, "..", "..", "..", "examples", "templates", "faq");

it("- stands for a zip on standard input and output, so that commands can be joined", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cli-streams-"));
  await using server = await startTestServer();
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: folder, FRONTDESK_SERVER: server.address };
  const start = (...words: readonly string[]) =>
    spawn(process.execPath, ["--disable-warning=ExperimentalWarning", PROGRAM, ...words], { cwd: folder, env });
  /** What the first of two commands writes is what the second reads. */
  const joined = async (from: readonly string[], to: readonly string[]) => {
    const [first, second] = [start(...from), start(...to)];
    first.stdout.pipe(second.stdin);
    const [output, errors, told, [code]] = await Promise.all([
      text(second.stdout),
      text(second.stderr),
      text(first.stderr),
      once(second, "exit"),
    ]);
    return { code, output, errors, told };
  };
  try {
    const [code] = await once(start("import", FAQ, "order-desk"), "exit");
    assert.equal(code, 0);
    const imported = await joined(["export", "order-desk", "-"], ["import", "-", "copied-desk"]);
    assert.deepEqual([imported.code, imported.told], [0, ""], imported.errors);
    assert.match(imported.output, /^imported .*\/apps\/copied-desk$/m);
    const same = await joined(["export", "order-desk", "-"], ["diff", "-", "order-desk"]);
    assert.deepEqual([same.code, same.output], [0, ""], same.errors);
    const linted = await joined(["export", "order-desk", "-"], ["lint", "-"]);
    assert.deepEqual([linted.code, linted.errors], [0, ""], linted.output);
    const version = await joined(["version"], ["import", "-"]);
    assert.deepEqual(
      [version.code, version.errors],
      [1, "frontdesk: - is not a zip archive; name the folder of an app package, or a zip of it.\n"],
    );
    assert.ok(!readdirSync(folder).includes("-"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
