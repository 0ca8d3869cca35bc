import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { serveCommands } from "./served-commands.ts";

const TEMPLATES = join(import.meta.dirname, "..", "..", "..", "examples", "templates");
const AGENT = "agents/Answers/Answers.json";

describe("apps between folders, drafts, versions and servers", () => {
  const { root, address, run: runIn, output } = serveCommands();
  const run = (...args: readonly string[]) => runIn(args);
  /** A folder with a template, of this name. */
  const folderWith = (name: string, template = "faq") => {
    cpSync(join(TEMPLATES, template), join(root, name), { recursive: true });
    return name;
  };
  const edit = (path: string, change: (text: string) => string) =>
    writeFileSync(join(root, path), change(readFileSync(join(root, path), "utf8")));
  const changesIn = (text: string): Record<string, string> =>
    Object.fromEntries(
      JSON.parse(text).changes.map(({ name, change }: { name: string; change: string }) => [name, change]),
    );

  it("push a folder, pull it back, and find no difference", async () => {
    const folder = folderWith("round");
    assert.match(await output(0, "push", folder, "--dry-run"), /^\+ app\.json\n.*\n\d+ would be added\.\n$/ms);
    assert.match((await run("apps", "get", "round")).stderr, /was not found/);
    assert.match(await output(0, "push", folder), /\d+ added\.\n$/);
    assert.equal(await output(0, "push", folder), "Nothing differs.\n");
    assert.equal(await output(0, "diff", folder), "");
    await output(0, "pull", "round", "pulled");
    assert.equal(await output(0, "pull", "round", "pulled"), "Nothing differs.\n");
    assert.equal(await output(0, "diff", "./round", "./pulled"), "");
  });

  it("name each thing that is wrong in a line of its own", async () => {
    const folder = folderWith("torn", "booking");
    rmSync(join(root, folder, "tools/book_time"), { recursive: true });
    const { code, stderr } = await run("push", folder);
    assert.equal(code, 1);
    assert.match(stderr, /^frontdesk: torn \(folder\): \d+ things are wrong:\n( {2}\w+\/[^\n]*\n){2,}$/);
    assert.match(stderr, /^ {2}agents\/Bookings\/Bookings\.json: tools\[0\]: Reference 'book_time'/m);
  });

  it("push deletes what the folder does not have, and says so before", async () => {
    const folder = folderWith("pushed");
    await output(0, "push", folder);
    rmSync(join(root, folder, "evaluations", "Goodbye"), { recursive: true });
    edit(`${folder}/global_instruction.txt`, (text) => `${text}\nBe brief.\n`);
    const expected = { "evaluations/Goodbye/Goodbye.json": "deleted", "global_instruction.txt": "changed" };
    assert.deepEqual(changesIn(await output(0, "push", folder, "--dry-run", "--json")), expected);
    const goodbyes = () => output(0, "evaluations", "list", "--app", folder, "--filter", 'display_name = "Goodbye"');
    assert.match(await goodbyes(), /Goodbye/);
    assert.deepEqual(changesIn(await output(0, "push", folder, "--json")), expected);
    assert.equal(await goodbyes(), "None.\n");
  });

  it("push keeps the ids of resources whose manifests have none", async () => {
    const folder = folderWith("nameless");
    edit(`${folder}/${AGENT}`, (text) => {
      const { name: _name, ...manifest } = JSON.parse(text);
      return JSON.stringify(manifest);
    });
    await output(0, "push", folder);
    const names = await output(0, "agents", "list", "--app", folder, "--output", "name");
    assert.equal(await output(0, "push", folder), "Nothing differs.\n");
    edit(`${folder}/global_instruction.txt`, () => "Be brief.\n");
    assert.match(await output(0, "push", folder), /^~ global_instruction\.txt$/m);
    assert.equal(await output(0, "agents", "list", "--app", folder, "--output", "name"), names);
  });

  it("pull deletes what the app does not have, and leaves alone what is no part of a package", async () => {
    await output(0, "push", folderWith("origin"));
    await output(0, "pull", "origin", "copy");
    writeFileSync(join(root, "copy", "README.md"), "ours");
    mkdirSync(join(root, "copy", "agents", "Extra"));
    writeFileSync(join(root, "copy", "agents", "Extra", "Extra.json"), "{}");
    edit(`copy/${AGENT}`, (text) => JSON.stringify(JSON.parse(text))); // the same values, written otherwise
    const expected = { "agents/Extra/Extra.json": "deleted" };
    assert.deepEqual(changesIn(await output(0, "pull", "origin", "copy", "--dry-run", "--json")), expected);
    assert.ok(existsSync(join(root, "copy", "agents", "Extra")));
    assert.deepEqual(changesIn(await output(0, "pull", "origin", "copy", "--json")), expected);
    assert.deepEqual(
      ["agents/Extra", "README.md"].map((path) => existsSync(join(root, "copy", path))),
      [false, true],
    );
  });

  it("pull writes YAML where a folder has it", async () => {
    await output(0, "push", folderWith("plain"));
    await output(0, "pull", "plain", "as-yaml", "--yaml");
    assert.ok(existsSync(join(root, "as-yaml", "app.yaml")));
    assert.equal(await output(0, "pull", "plain", "as-yaml"), "Nothing differs.\n");
  });

  it("pull does not empty a folder of something else", async () => {
    await output(0, "push", folderWith("safe"));
    mkdirSync(join(root, "other", "tools"), { recursive: true });
    writeFileSync(join(root, "other", "tools", "hammer.txt"), "mine");
    const { code, stderr } = await run("pull", "safe", "other");
    assert.deepEqual([code, /tools\/hammer\.txt in it would be lost/.test(stderr)], [1, true], stderr);
    assert.equal(readFileSync(join(root, "other", "tools", "hammer.txt"), "utf8"), "mine");
  });

  it("diff compares a folder, the draft, versions and other servers, and exits with 1 where they differ", async () => {
    const folder = folderWith("in-work");
    await output(0, "push", folder, "compared");
    await output(0, "deploy", "compared", "--version-name", "one");
    await output(0, "context", "set", "other", "--server", address());
    edit(`${folder}/global_instruction.txt`, () => "Be brief.\n");
    const patch = await output(1, "diff", "compared", `./${folder}`);
    assert.match(patch, /^\+\+\+ .*global_instruction\.txt$/m);
    assert.match(patch, /^\+Be brief\.$/m);
    assert.match(await output(1, "diff", `./${folder}`, "other:compared"), /^-Be brief\.$/m);
    await output(0, "push", folder, "compared");
    assert.equal(await output(1, "diff", "compared@one", "compared", "--output", "name"), "global_instruction.txt\n");
    assert.equal(await output(0, "diff", "compared", "other:compared"), "");
    for (const wrong of [["./nowhere"], ["compared@two", "compared"], ["compared", "absent"]])
      assert.ok((await output(2, "diff", ...wrong)) === "", wrong.join(" "));
  });

  it("colours are for terminals, and for who asks for them", async () => {
    const folder = folderWith("coloured");
    await output(0, "push", folder, "in-colour");
    edit(`${folder}/global_instruction.txt`, () => "Be brief.\n");
    const diff = (variables: NodeJS.ProcessEnv) => runIn(["diff", "in-colour", `./${folder}`], { env: variables });
    assert.match((await diff({})).stdout, /^\+Be brief\.$/m);
    assert.ok((await diff({ FORCE_COLOR: "1" })).stdout.includes("\u001b[32m+Be brief."));
  });

  it("deploy makes a version, and gives it all new sessions or a share of them", async () => {
    const folder = folderWith("deployed");
    await output(0, "push", folder);
    assert.match(await output(0, "deploy", folder, "web", "--dry-run"), /would be made, and run a new version/);
    assert.equal(await output(0, "versions", "list", "--app", folder), "None.\n");
    const first = JSON.parse(await output(0, "deploy", folder, "web", "--version-name", "one", "--json"));
    assert.equal(first.appVersion, first.deployedVersion);
    const second = JSON.parse(
      await output(0, "deploy", folder, "web", "--version-name", "two", "--traffic", "10", "--json"),
    );
    assert.deepEqual(
      second.experimentConfig.versionRelease.trafficAllocations.map(
        ({ appVersion, trafficPercentage }: Record<string, unknown>) => [appVersion, trafficPercentage],
      ),
      [
        [second.deployedVersion, 10],
        [first.deployedVersion, 90],
      ],
    );
    await output(0, "export", folder, "version-two", "--app-version", "two");
    assert.ok(existsSync(join(root, "version-two", "app.json")));
    const third = JSON.parse(await output(0, "deploy", folder, "web", "--app-version", "two", "--json"));
    assert.deepEqual([third.appVersion, third.experimentConfig], [second.deployedVersion, undefined]);
    for (const [args, message] of [
      [["deploy", folder, "fresh", "--traffic", "10"], /'fresh' runs no version that could keep the other 90 %/],
      [["deploy", folder, "web", "--traffic", "0"], /--traffic is '0'; use a number from 1 to 100/],
      [
        ["deploy", folder, "web", "--app-version", "three"],
        /'three' is not a version of the app; its versions are two, one\./,
      ],
    ] as const)
      assert.match((await run(...args)).stderr, message);
  });

  it("push says what is wrong in a folder, and changes nothing", async () => {
    const folder = folderWith("broken");
    await output(0, "push", folder);
    edit(`${folder}/app.json`, (text) => text.replace('"rootAgent": "Answers"', '"rootAgent": "Nobody"'));
    const { code, stderr } = await run("push", folder);
    assert.deepEqual([code, /app\.json.*Nobody/.test(stderr)], [1, true], stderr);
    assert.match(await output(0, "apps", "get", "broken"), /rootAgent: .*agents\//);
  });

  const displayNameOf = async (app: string): Promise<string> =>
    JSON.parse(await output(0, "apps", "get", app, "--json")).displayName;

  it("push gives the app the display name of the folder, which diff, push and pull compare", async () => {
    const folder = folderWith("renamed");
    await output(0, "push", folder);
    edit(`${folder}/app.json`, (text) => text.replace(/"displayName": "[^"]*"/, '"displayName": "Desk of names"'));
    assert.match(await output(1, "diff", folder), /^-.*"displayName": "Desk of names"/m);
    assert.deepEqual(changesIn(await output(0, "pull", folder, folder, "--dry-run", "--json")), {
      "app.json": "changed",
    });
    assert.deepEqual(changesIn(await output(0, "push", folder, "--json")), { "app.json": "changed" });
    assert.equal(await displayNameOf(folder), "Desk of names");
    assert.equal(await output(0, "diff", folder), "");
    assert.equal(await output(0, "push", folder), "Nothing differs.\n");
  });

  it("push gives a new app the display name of the folder, and warns where another app has it", async () => {
    const name = (folder: string) =>
      edit(`${folder}/app.json`, (text) => text.replace(/"displayName": "[^"]*"/, '"displayName": "Twins"'));
    for (const folder of ["twin-one", "twin-two"]) name(folderWith(folder));
    assert.equal((await run("push", "twin-one")).stderr, "");
    assert.equal(
      (await run("push", "twin-two")).stderr,
      "warning: app.json: displayName: another app has the display name 'Twins', too.\n",
    );
    assert.deepEqual([await displayNameOf("twin-one"), await displayNameOf("twin-two")], ["Twins", "Twins"]);
    assert.equal(await output(0, "push", "twin-two"), "Nothing differs.\n");
  });

  it("push reads what links lead to, and refuses a folder with links that lead out of it before anything is changed", async () => {
    const folder = folderWith("linked");
    await output(0, "push", folder);
    renameSync(join(root, folder, "evaluations"), join(root, "evaluations-elsewhere"));
    symlinkSync(join(root, "evaluations-elsewhere"), join(root, folder, "evaluations"));
    const { code, stderr } = await run("push", folder);
    assert.deepEqual([code, /^frontdesk: evaluations: is a link that leads out of /.test(stderr)], [1, true], stderr);
    assert.match(await output(0, "evaluations", "list", "--app", folder), /Goodbye/);
    rmSync(join(root, folder, "evaluations"));
    renameSync(join(root, "evaluations-elsewhere"), join(root, folder, "evaluations"));
    renameSync(join(root, folder, "global_instruction.txt"), join(root, folder, "agents", "instruction.txt"));
    symlinkSync(join("agents", "instruction.txt"), join(root, folder, "global_instruction.txt"));
    assert.equal(await output(0, "push", folder), "Nothing differs.\n");
  });

  it("pull never writes through a link", async () => {
    await output(0, "push", folderWith("unlinked"));
    await output(0, "pull", "unlinked", "through-link");
    writeFileSync(join(root, "through-link", "agents", "mine.txt"), "mine");
    rmSync(join(root, "through-link", "global_instruction.txt"));
    symlinkSync(join("agents", "mine.txt"), join(root, "through-link", "global_instruction.txt"));
    const { code, stderr } = await run("pull", "unlinked", "through-link");
    assert.deepEqual([code, /global_instruction\.txt: is a link/.test(stderr)], [1, true], stderr);
    assert.equal(readFileSync(join(root, "through-link", "agents", "mine.txt"), "utf8"), "mine");
  });

  it("push tells the warnings of a folder although it fails", async () => {
    const folder = folderWith("warned", "booking");
    writeFileSync(join(root, folder, "notes.txt"), "ours");
    rmSync(join(root, folder, "tools/book_time"), { recursive: true });
    const { code, stderr } = await run("push", folder);
    assert.deepEqual(
      [code, stderr.split("\n")[0]],
      [1, "warning: notes.txt: is not part of an app package and was ignored."],
    );
  });

  it("a file that cannot be read or written is told in a sentence, and the folder is as it was", async () => {
    const folder = folderWith("unwritable");
    await output(0, "push", folder);
    await output(0, "pull", folder, "taken");
    edit(`${folder}/global_instruction.txt`, () => "Be brief.\n");
    await output(0, "push", folder);
    const before = readFileSync(join(root, "taken", "global_instruction.txt"), "utf8");
    rmSync(join(root, "taken", `${AGENT}`));
    mkdirSync(join(root, "taken", AGENT));
    const ran = await run("pull", folder, "taken");
    assert.equal(ran.stderr, `frontdesk: ${AGENT}: is a folder, and a file of this name must be written. Remove it.\n`);
    assert.equal(readFileSync(join(root, "taken", "global_instruction.txt"), "utf8"), before);
    for (const [code, ...words] of [
      [1, "pull", folder, "/proc/taken"],
      [1, "export", folder, "/proc/taken"],
      [2, "diff", "/proc/self/mem", folder],
    ] as const) {
      const { code: exitCode, stderr } = await run(...words);
      assert.equal(exitCode, code, stderr);
      assert.match(stderr, /^frontdesk: [^\n]*cannot (read|write|make) \/proc\/[^\n]*: [^\n]*\.\n$/);
    }
  });

  it("pull leaves alone the files that say what the app has, and writes the others", async () => {
    const folder = folderWith("quiet", "booking");
    await output(0, "push", folder);
    assert.equal(await output(0, "pull", "quiet", folder), "Nothing differs.\n");
    assert.ok(!existsSync(join(root, folder, "pythonEnvFiles")));
    cpSync(join(root, folder), join(root, "quiet-edit"), { recursive: true });
    edit("quiet-edit/agents/Bookings/instruction.txt", () => "Be brief.\n");
    await output(0, "push", "quiet-edit", "quiet");
    const changed = { "agents/Bookings/instruction.txt": "changed" };
    assert.deepEqual(changesIn(await output(0, "pull", "quiet", folder, "--json")), changed);
    assert.equal(await output(0, "diff", folder), "");
  });

  it("a display name of several versions is refused with their ids, and deploy makes none", async () => {
    const folder = folderWith("doubled");
    await output(0, "push", folder);
    const made = JSON.parse(await output(0, "deploy", folder, "web", "--version-name", "v1", "--json"));
    const id = made.deployedVersion.split("/").at(-1);
    for (const more of [[], ["--dry-run"]]) {
      const again = await run("deploy", folder, "web", "--version-name", "v1", ...more);
      assert.equal(again.code, 1);
      assert.ok(again.stderr.includes(`has a version 'v1' already, ${id}: give the new one another --version-name`));
    }
    // The API allows it.
    writeFileSync(join(root, "version.json"), '{"displayName": "v1"}');
    await output(0, "versions", "create", "--app", folder, "--file", "version.json");
    const ids = (await output(0, "versions", "list", "--app", folder, "--output", "name"))
      .trim()
      .split("\n")
      .map((name) => name.split("/").at(-1) ?? "");
    for (const [code, ...words] of [
      [2, "diff", `${folder}@v1`, folder],
      [1, "pull", folder, "at-v1", "--app-version", "v1"],
      [1, "deploy", folder, "web", "--app-version", "v1"],
    ] as const) {
      const { code: exitCode, stderr } = await run(...words);
      assert.equal(exitCode, code, stderr);
      assert.match(stderr, /2 versions of the app have the name 'v1'/);
      for (const id of ids) assert.ok(stderr.includes(id), stderr);
    }
    await output(0, "diff", `${folder}@${ids[0]}`, `${folder}@${ids[1]}`);
  });

  it("push refuses to replace an app that changed since it was compared", async () => {
    const folder = folderWith("contested");
    await output(0, "push", folder);
    edit(`${folder}/global_instruction.txt`, () => "Be brief.\n");
    const name = `projects/local/locations/us/apps/${folder}`;
    await using between = await openBetween(address(), async () => {
      const url = `${address()}/v1beta/${name}?updateMask=description`;
      const changed = await fetch(url, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ description: "Edited in the console." }),
      });
      assert.equal(changed.status, 200);
    });
    const ran = await runIn(["push", folder], { env: { FRONTDESK_SERVER: between.address } });
    assert.deepEqual([ran.code, ran.stdout], [1, ""]);
    assert.match(ran.stderr, /contested has changed since it was compared with the folder, and nothing was pushed/);
    assert.match(await output(1, "diff", folder), /^-Be brief\.$/m);
  });

  it("diff says whose fault it is", async () => {
    await output(0, "push", folderWith("whole", "booking"));
    const folder = folderWith("faulty", "booking");
    rmSync(join(root, folder, "tools/book_time"), { recursive: true });
    for (const words of [
      ["whole", `./${folder}`],
      [`./${folder}`, "whole"],
    ]) {
      const { code, stderr } = await run("diff", ...words);
      assert.deepEqual([code, stderr.startsWith("frontdesk: ./faulty (folder): ")], [2, true], stderr);
    }
  });
});

/** An address that passes all on to a server, and does something once, after the first export. */
async function openBetween(server: string, afterExport: () => Promise<void>) {
  let isDone = false;
  const between = createServer((incoming, outgoing) => {
    const { method, headers, url = "" } = incoming;
    const passed = request(new URL(url, server), { method, headers }, (answer) => {
      const isFirst = url.endsWith("/ExportApp") && !isDone;
      isDone ||= isFirst;
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      if (isFirst) void afterExport().finally(() => answer.pipe(outgoing));
      else answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        between.close(() => resolve());
        between.closeAllConnections();
      }),
  };
}
