import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { createTestSandbox } from "../../test/test-sandbox.ts";
import { probeBubblewrap } from "./bubblewrap.ts";

const bubblewrap = await probeBubblewrap(process.execPath);
const skip = bubblewrap ? false : "bubblewrap is absent here, or may not make namespaces";

/** What a process in there finds; it looks with all that Node can do. */
const LOOK = `
const fs = require("node:fs"), os = require("node:os");
const attempt = (action) => { try { return action() } catch (error) { return error.code } };
console.log(JSON.stringify({
  variables: Object.keys(process.env).filter((name) => name !== "PWD"),
  interfaces: Object.values(os.networkInterfaces()).flat().filter(({ internal }) => !internal).length,
  processes: fs.readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name)).length <= 2,
  secret: attempt(() => fs.readFileSync(process.argv[1], "utf8")),
  password: attempt(() => fs.readFileSync("/etc/passwd", "utf8")),
  write: attempt(() => fs.writeFileSync("/usr/planted", "x")),
}));
`;

describe("a process in bubblewrap", { skip }, () => {
  it("sees no variable, network, other process, secret or file of the machine, and writes nothing", async () => {
    const command = bubblewrap?.wrap({ file: process.execPath, args: ["-e", LOOK, import.meta.filename], env: {} }, [
      process.execPath,
    ]);
    assert.ok(command);
    const { stdout } = await promisify(execFile)(command.file, [...command.args], { env: { SECRET: "1" } });
    assert.deepEqual(JSON.parse(stdout), {
      variables: [],
      interfaces: 0,
      processes: true,
      secret: "ENOENT",
      password: "ENOENT",
      write: "EROFS",
    });
  });
});

for (const runtime of ["deno", "node"] as const) {
  describe(`a guest in ${runtime} in bubblewrap`, { skip }, () => {
    it("runs user code, and leaves no process behind when it is killed", async () => {
      const before = descendants();
      const sandbox = createTestSandbox({ runtime, maxGuests: 1 });
      assert.equal(await sandbox.value("def f():\n    return 1\n"), 1);
      assert.equal(sandbox.sandbox.status().bubblewrap, true);
      const guests = descendants().filter((id) => !before.includes(id));
      assert.notDeepEqual(guests, []);
      const abort = new AbortController();
      const loop = sandbox.run("def f():\n    while True: pass\n", { signal: abort.signal });
      setTimeout(() => abort.abort(), 100);
      assert.equal((await loop).kind, "cancelled");
      await sandbox[Symbol.asyncDispose]();
      while (guests.some((id) => existsSync(`/proc/${id}`))) await delay(5);
    });
  });
}

/** Ids of the processes below this one. */
function descendants(parent: number | string = process.pid): string[] {
  return childrenOf(parent).flatMap((child) => [child, ...descendants(child)]);
}

function childrenOf(parent: number | string): string[] {
  try {
    return readdirSync(`/proc/${parent}/task`).flatMap((task) =>
      readFileSync(`/proc/${parent}/task/${task}/children`, "utf8").split(" ").filter(Boolean),
    );
  } catch {
    return []; // it ended meanwhile
  }
}
