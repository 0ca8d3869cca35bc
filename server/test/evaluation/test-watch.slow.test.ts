import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, cp, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { PROGRAM } from "../program.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const CACHE = join(ROOT, "node_modules", ".cache", "frontdesk");

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-watch-test-"));
  await cp(join(ROOT, "examples", "order-desk", "app"), folder, { recursive: true });
});
after(() => rm(folder, { recursive: true, force: true }));

/** The output of a command, to wait for. */
class Output {
  readonly child: ChildProcess;
  #text = "";
  #read = 0;
  #changed = Promise.withResolvers<void>();

  constructor(...args: readonly string[]) {
    const env = { ...process.env, FRONTDESK_CACHE: CACHE, FRONTDESK_SANDBOX_GUESTS: "1" };
    this.child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", PROGRAM, ...args], { env });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        this.#text += chunk;
        this.#changed.resolve();
      });
  }

  /** The new output up to a match, as soon as there is one. */
  async until(pattern: RegExp): Promise<string> {
    for (;;) {
      const fresh = this.#text.slice(this.#read);
      const match = pattern.exec(fresh);
      if (match) {
        this.#read += match.index + match[0].length;
        return fresh.slice(0, match.index + match[0].length);
      }
      this.#changed = Promise.withResolvers();
      await Promise.race([
        this.#changed.promise,
        once(this.child, "exit").then(() => assert.fail(`the command ended: ${this.#text}`)),
      ]);
    }
  }
}

test("each change runs the cases that used what changed, and a package that cannot be imported says why", async () => {
  const tool = join(folder, "tools", "start_return", "python_function", "python_code.py");
  const command = new Output("test", folder, "--watch", "--model", "frontdesk/builtin");
  try {
    assert.match(await command.until(/2 of 2 cases ran\./), /✓ Where is my order\?/);

    const code = await readFile(tool, "utf8");
    await writeFile(tool, code.replace("def start_return(", "def start_return(broken, "));
    const failed = await command.until(/1 of 2 cases ran\./);
    assert.match(failed, /✓ Where is my order\?/);
    assert.match(failed, /✗ A broken mug goes back/);

    await writeFile(tool, code);
    assert.match(await command.until(/1 of 2 cases ran\./), /✓ A broken mug goes back/);

    const manifest = join(folder, "app.json");
    const app = await readFile(manifest, "utf8");
    await appendFile(manifest, "}");
    assert.match(await command.until(/cannot be imported:\n.*\n/), /app\.json:\d+:\d+: /);

    await writeFile(manifest, app);
    assert.match(await command.until(/0 of 2 cases ran\./), /✓ A broken mug goes back/);

    await rename(folder, `${folder}-away`);
    await command.until(/is not there any more/);
    await rename(`${folder}-away`, folder);
    assert.match(await command.until(/0 of 2 cases ran\./), /✓ A broken mug goes back/);
  } finally {
    command.child.kill("SIGINT");
    await once(command.child, "exit");
  }
  assert.equal(command.child.exitCode, 0);
});

test("what is no folder is refused with its name", async () => {
  const command = new Output("test", join(folder, "missing"), "--watch");
  await assert.rejects(command.until(/never/), /missing is not a folder/);
});

test("a model that nobody serves is refused before anything runs, and the command ends", async () => {
  const command = new Output("test", folder, "--model", "nobody/serves-this");
  const [code] = await once(command.child, "exit");
  assert.equal(code, 2);
});
