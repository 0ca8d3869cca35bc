import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { type CommandLine, openCommandLine } from "../command-line.ts";
import { type Rest, restOf } from "../rest.ts";

const APP = "projects/local/locations/us/apps/order-desk";
const TABLE = `display_name;turn_index;action_type;text_content;response_agent;tags
Greeting;1;INPUT_TEXT;Hello;;smoke
;1;EXPECTATION_TEXT;Hello.;Front desk;
Wrong;1;EXPECTATION_TEXT;Hello.;Nobody;
`;

describe("frontdesk import-evaluations and export-evaluations", () => {
  let server: TestServer;
  let rest: Rest;
  let commands: CommandLine;
  let folder: string;
  before(async () => {
    server = await startTestServer({ example: true });
    rest = restOf(() => server);
    commands = openCommandLine();
    folder = await mkdtemp(join(tmpdir(), "frontdesk-goldens-"));
    await writeFile(join(folder, "goldens.csv"), TABLE);
  });
  after(async () => {
    await commands[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const run = (...words: string[]) =>
    commands.run(words, { env: { ...process.env, FRONTDESK_SERVER: server.address }, cwd: folder });
  const greeting = async () => {
    const { evaluations } = await rest("GET", `${APP}/evaluations?filter=display_name%3D%22Greeting%22`);
    return evaluations;
  };

  it("imports a table, names the line of what it cannot read, and tells so by the exit code", async () => {
    const { code, stdout, stderr } = await run("import-evaluations", "order-desk", "goldens.csv");
    assert.equal(code, 1, stderr);
    assert.match(stdout, /^imported 1 evaluation; 1 could not be\n$/);
    assert.match(stderr, /^goldens\.csv: line 4: 'Nobody' is not an agent of the app/);
    assert.equal((await greeting())[0].golden.turns[0].steps.length, 2);
  });

  it("takes back what it exported, over what has changed since", async () => {
    const exported = await run("export-evaluations", "order-desk", "smoke.yaml", "--tags", "smoke");
    assert.equal(exported.code, 0, exported.stderr);
    assert.match(await readFile(join(folder, "smoke.yaml"), "utf8"), /^evaluations:\n[\s\S]*displayName: Greeting/);
    const [{ name }] = await greeting();
    await rest("PATCH", `${name}?updateMask=description`, { description: "changed since" });

    const refused = await run("import-evaluations", "order-desk", "smoke.yaml");
    assert.deepEqual([refused.code, (await greeting())[0].description], [1, "changed since"]);
    const taken = await run("import-evaluations", "order-desk", "smoke.yaml", "--existing", "overwrite", "--json");
    assert.deepEqual([taken.code, JSON.parse(taken.stdout).failures], [0, 0], taken.stderr);
    assert.deepEqual([(await greeting()).length, (await greeting())[0].description], [1, undefined]);
  });

  it("says what there is when it is told of something else", async () => {
    for (const [words, sentence] of [
      [["import-evaluations", "order-desk", "nothing.csv"], /nothing\.csv cannot be read: no such file or directory\./],
      [["import-evaluations", "order-desk"], /the app or the file is missing/],
      [
        ["import-evaluations", "order-desk", "goldens.csv", "--existing", "replace"],
        /--existing cannot be 'replace': use refuse, overwrite, skip, duplicate\./,
      ],
      [["import-evaluations", "no-app", "goldens.csv"], /no-app.* was not found/],
      [["export-evaluations", "order-desk", "out.json", "Nobody"], /'Nobody' is no evaluation of the app/],
      [["export-evaluations", "order-desk", "no/out.json"], /no\/out\.json cannot be written: there is no folder no/],
    ] as const) {
      const { code, stderr } = await run(...words);
      assert.equal(code, 1, stderr);
      assert.match(stderr, sentence);
    }
  });
});
