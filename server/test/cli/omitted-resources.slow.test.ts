import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { serveCommands } from "./served-commands.ts";

const BOOKING = join(import.meta.dirname, "..", "..", "..", "examples", "templates", "booking");
const TOOL = "tools/book_time/book_time.json";

describe("resources that an import leaves out, in folders and apps", () => {
  const { root, run: runIn, output } = serveCommands();
  const run = (...args: readonly string[]) => runIn(args);
  const pushed = async (name: string) => {
    cpSync(BOOKING, join(root, name), { recursive: true });
    await output(0, "push", name);
    return name;
  };
  const edit = (path: string, change: (text: string) => string) =>
    writeFileSync(join(root, path), change(readFileSync(join(root, path), "utf8")));
  const names = (collection: string, app: string) => output(0, collection, "list", "--app", app, "--output", "name");

  it("a folder with a faulty tool is not pushed, so that the tool stays on the server", async () => {
    const folder = await pushed("faulty");
    const tools = await names("tools", folder);
    edit(`${folder}/${TOOL}`, (text) => text.replace("{", '{ "timeout": "soon",'));
    for (const more of [[], ["--dry-run"]]) {
      const { code, stdout, stderr } = await run("push", folder, ...more);
      assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
      assert.match(stderr, /faulty \(folder\): 2 things are wrong:\n {2}tools\/book_time\/book_time\.json: timeout: /);
      assert.match(stderr, /^ {2}evaluations\/An_appointment.*: needs Tool 'book_time'\.$/m);
    }
    assert.equal(await names("tools", folder), tools);
    const { stderr } = await run("diff", folder);
    assert.match(stderr, /^warning: faulty \(folder\): Tool 'book_time' was removed due to import error: /m);
  });

  /** An app of which a tool is gone that one of its evaluations calls; returns the name of its folder, which has neither. */
  const withOrphan = async (name: string) => {
    const folder = await pushed(name);
    for (const path of ["tools/cancel_booking", "evaluations/A_cancellation"])
      rmSync(join(root, folder, path), { recursive: true });
    edit(`${folder}/agents/Bookings/Bookings.json`, (text) => text.replace(/\s*"cancel_booking",/, ""));
    await output(0, "import", folder, folder, "--overwrite");
    assert.match(await names("evaluations", folder), /evaluations\/cancel$/m);
    return folder;
  };

  it("an evaluation whose tool is gone differs from a folder without it, and push deletes it", async () => {
    const folder = await withOrphan("orphan");
    assert.match(
      await output(1, "diff", folder, "--output", "name"),
      /^evaluations\/A_cancellation\/A_cancellation\.json$/m,
    );
    // The import by which the tool went is the change of somebody else.
    assert.match(await output(0, "push", folder, "--force"), /^- evaluations\/A_cancellation\/A_cancellation\.json$/m);
    assert.doesNotMatch(await names("evaluations", folder), /evaluations\/cancel$/m);
    assert.equal(await output(0, "push", folder), "Nothing differs.\n");
  });

  it("an evaluation that was pulled with its fault stays as it is, while the rest is pushed", async () => {
    const app = await withOrphan("kept-orphan");
    rmSync(join(root, app), { recursive: true });
    await output(0, "pull", app, "pulled");
    edit("pulled/global_instruction.txt", () => "Be brief.\n");
    assert.equal(await output(0, "push", "pulled", app), "~ global_instruction.txt\n\n1 changed.\n");
    assert.match(await names("evaluations", app), /evaluations\/cancel$/m);
    assert.equal(await output(0, "diff", "./pulled", app), "");
  });
});
