import assert from "node:assert/strict";
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { deleteEvaluations } from "../../src/cli/packages/delete-evaluations.ts";
import { runCommand } from "../command-line.ts";
import { createPassing } from "./passing-server.ts";
import { serveCommands } from "./served-commands.ts";

const FAQ = join(import.meta.dirname, "..", "..", "..", "examples", "templates", "faq");
const GLOBAL = "global_instruction.txt";
const AGENT = "agents/Answers/instruction.txt";

describe("two people who push folders of one app", () => {
  const { root, run, address } = serveCommands();
  const passing = createPassing(address);
  before(() => passing.listen());
  after(() => passing.close());

  /** The commands of a person, in a folder and with settings of their own. */
  const person = (name: string) => async (code: number, line: string) => {
    const ran = await run(line.split(" "), { folder: join(root, name) });
    assert.equal(ran.code, code, `${name}: ${line}\n${ran.stdout}${ran.stderr}`);
    return ran;
  };
  const append = (path: string, text: string) => appendFileSync(join(root, path), text);
  /** Ann pushes an app for the first time, and Bob pulls it. */
  const shared = async (app: string) => {
    for (const name of ["ann", "bob"]) cpSync(FAQ, join(root, name, app), { recursive: true });
    rmSync(join(root, "bob", app), { recursive: true });
    const [ann, bob] = [person("ann"), person("bob")];
    await ann(0, `push ${app}`);
    await bob(0, `pull ${app} ${app}`);
    return { ann, bob };
  };

  it("do not undo what the other did without knowing it", async () => {
    const { ann, bob } = await shared("joint");
    append(`ann/joint/${GLOBAL}`, "Ann was here.\n");
    await ann(0, "push joint");
    append(`bob/joint/${AGENT}`, "Bob was here.\n");
    const dry = await bob(0, "push joint --dry-run");
    const told = `joint has changed since joint was last pulled or pushed, and a push would undo that: ${GLOBAL}`;
    assert.ok(dry.stderr.includes(`apps/${told}.\n`), dry.stderr);
    const refused = await bob(1, "push joint");
    assert.ok(refused.stderr.includes(`apps/${told}. Keep a copy of your changes, pull, `), refused.stderr);
    await ann(0, "push joint");
    assert.equal((await ann(0, "push joint")).stdout, "Nothing differs.\n");

    await bob(0, "pull joint joint");
    append(`bob/joint/${AGENT}`, "Bob was here.\n");
    assert.equal((await bob(0, "push joint")).stdout, `~ ${AGENT}\n\n1 changed.\n`);
    const undone = await ann(0, "push joint --force");
    assert.equal(undone.stdout, `~ ${AGENT}\n\n1 changed.\n`);
  });

  it("push on as before after versions, deployments and pushes of their own, in JSON and YAML", async () => {
    const { ann } = await shared("alone");
    await ann(0, "deploy alone web-chat");
    for (const text of ["One.\n", "Two.\n"]) {
      append(`ann/alone/${GLOBAL}`, text);
      assert.equal((await ann(0, "push alone")).stdout, `~ ${GLOBAL}\n\n1 changed.\n`);
    }
    await ann(0, "pull alone in-yaml --yaml");
    append(`ann/in-yaml/${GLOBAL}`, "Three.\n");
    assert.equal((await ann(0, "push in-yaml alone")).stdout, `~ ${GLOBAL}\n\n1 changed.\n`);
  });

  it("may change the same thing in the same way, and delete what was made anew", async () => {
    const { ann, bob } = await shared("alike");
    for (const name of ["ann", "bob"]) append(`${name}/alike/${GLOBAL}`, "The same.\n");
    await ann(0, "push alike");
    append(`bob/alike/${AGENT}`, "Bob was here.\n");
    assert.equal((await bob(0, "push alike")).stdout, `~ ${AGENT}\n\n1 changed.\n`);
    await ann(0, "apps delete alike --force");
    assert.match((await bob(0, "push alike")).stdout, /^\d+ added\.$/m);
  });

  it("a first push of a folder, and one with settings that cannot be read, is as it was", async () => {
    const { ann } = await shared("unread");
    const stored = join(root, "ann", "frontdesk", "folders.json");
    assert.ok(existsSync(stored) && !readFileSync(stored, "utf8").includes("Ann was here"));
    rmSync(stored);
    append(`ann/unread/${GLOBAL}`, "Ann was here.\n");
    await ann(0, "push unread");
  });

  it("on Windows and elsewhere differ in the ends of lines alone, which is no change", async () => {
    const { ann, bob } = await shared("windows");
    const path = join(root, "bob", "windows", AGENT);
    const windows = readFileSync(path, "utf8").replaceAll("\n", "\r\n");
    assert.match(windows, /\r\n/);
    writeFileSync(path, windows);
    assert.equal((await bob(0, "push windows")).stdout, "Nothing differs.\n");
    assert.equal((await bob(0, "pull windows windows")).stdout, "Nothing differs.\n");
    assert.equal(readFileSync(path, "utf8"), windows);
    append(`bob/windows/${GLOBAL}`, "Bob was here.\n");
    assert.equal((await bob(0, "push windows")).stdout, `~ ${GLOBAL}\n\n1 changed.\n`);
    const { stdout } = await ann(1, "diff windows");
    assert.match(stdout, /^\+Bob was here\.$/m);
    assert.doesNotMatch(stdout, /agents/);
  });

  /** Both push at the same time: their imports reach the server together. The one who was refused, if one was. */
  const pushedTogether = async (app: string) => {
    passing.holdAfter("ImportApp", 0);
    const pushes = ["ann", "bob"].map((name) =>
      // Of their own processes: `run` has one command wait for the other.
      runCommand(["push", app], {
        cwd: join(root, name),
        env: { PATH: process.env.PATH, XDG_CONFIG_HOME: join(root, name), FRONTDESK_SERVER: passing.address() },
      }),
    );
    await Promise.race([passing.held(2), Promise.all(pushes)]);
    passing.release();
    const [ann, bob] = await Promise.all(pushes);
    assert.deepEqual([ann?.code, bob?.code].toSorted(), [0, 1], `${ann?.stderr}${bob?.stderr}`);
    return ann?.code === 0 ? { won: "ann", refused: bob } : { won: "bob", refused: ann };
  };
  const textOnServer = async (app: string) => {
    const fetched = await fetch(`${address()}/v1beta/projects/local/locations/us/apps/${app}`);
    return ((await fetched.json()) as { readonly globalInstruction: string }).globalInstruction;
  };

  it("push a new app at the same time: one makes it, and the other is told", async () => {
    for (const name of ["ann", "bob"]) {
      cpSync(FAQ, join(root, name, "at-once"), { recursive: true });
      append(`${name}/at-once/${GLOBAL}`, `By ${name}.\n`);
    }
    const { won, refused } = await pushedTogether("at-once");
    assert.match(refused?.stderr ?? "", /apps\/at-once' exists already: .*nothing was imported/);
    assert.doesNotMatch(refused?.stderr ?? "", /not finished/);
    assert.match(await textOnServer("at-once"), new RegExp(`By ${won}\\.`));
  });

  it("push an app at the same time: one writes, and the other is told", async () => {
    const { ann } = await shared("together");
    for (const name of ["ann", "bob"]) append(`${name}/together/${GLOBAL}`, `By ${name}.\n`);
    const { won, refused } = await pushedTogether("together");
    assert.match(refused?.stderr ?? "", /apps\/together' has changed since it was read: .*nothing was imported/);
    assert.match(await textOnServer("together"), new RegExp(`By ${won}\\.`));
    await ann(won === "ann" ? 0 : 1, "push together");
  });

  it("delete an evaluation that the other one deleted first", async () => {
    const { ann } = await shared("twice");
    const golden = { displayName: "Hello", golden: { turns: [{ steps: [{ userInput: { text: "hello" } }] }] } };
    writeFileSync(join(root, "ann", "golden.json"), JSON.stringify(golden));
    await ann(0, "evaluations create hello --app twice --file golden.json");
    const changes = ["gone-before", "hello"].map((name) => ({
      path: `evaluations/${name}/${name}.json`,
      kind: "deleted" as const,
      before: Buffer.from(JSON.stringify({ name })),
      after: undefined,
    }));
    await deleteEvaluations("projects/local/locations/us/apps/twice", changes, {
      positionals: [],
      flags: { server: address() },
    });
    assert.doesNotMatch((await ann(0, "evaluations list --app twice")).stdout, /^hello /m);
  });
});
