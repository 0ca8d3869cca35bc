import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { collections } from "../../src/cli/resources/collections.ts";
import { COLLECTIONS, resourceCommands } from "../../src/cli/resources/resource-commands.ts";
import { type CommandLine, openCommandLine, runCommand } from "../command-line.ts";
import { finished, restOf } from "../rest.ts";

const APP = "projects/local/locations/us/apps/order-desk";

describe("the resource commands", () => {
  const folder = mkdtempSync(join(tmpdir(), "cli-resources-"));
  let server: TestServer;
  let commands: CommandLine;
  before(async () => {
    server = await startTestServer({ example: true });
    commands = openCommandLine();
  });
  after(async () => {
    await commands[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const run = (...args: readonly string[]) => commands.run([...args, "--server", server.address]);
  const output = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run(...args);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const failure = async (...args: readonly string[]) => {
    const { code, stderr } = await run(...args);
    assert.equal(code, 1);
    return stderr;
  };
  /** Of commands with exit codes of their own, too. */
  const failed = async (...args: readonly string[]) => {
    const { code, stderr } = await run(...args);
    assert.notEqual(code, 0);
    return stderr;
  };
  let files = 0;
  const fileWith = (text: string, ending = "yaml") => {
    const file = join(folder, `${files++}.${ending}`);
    writeFileSync(file, text);
    return file;
  };

  it("are the collections of the API", () => {
    assert.deepEqual(Object.keys(COLLECTIONS).toSorted(), [...collections().keys()].toSorted());
  });

  it("offer the verbs that the API has", () => {
    for (const { name, words = [], operands } of resourceCommands) {
      const methods = Object.keys(collections().get(name)?.methods ?? {});
      assert.deepEqual(words.toSorted(), methods.toSorted(), name);
      assert.equal(operands, `${words.join("|")} ${methods.includes("delete") ? "[name …]" : "[name]"}`);
    }
  });

  it("make a data file of the path of one", async () => {
    const file = join(folder, "sales.csv");
    writeFileSync(file, "region,amount\nNorth,10\nSouth,20\n");
    const made = JSON.parse(await output("data-files", "create", file, "--json"));
    assert.deepEqual([made.displayName, made.format, made.tables[0].rowCount], ["sales.csv", "CSV", "2"]);
    assert.match(await failure("data-files", "create", join(folder, "none.csv")), /none\.csv cannot be read/);
    await output("data-files", "delete", made.name);
  });

  it("show code and instructions in YAML with their own lines, so that they can be edited and sent back", async () => {
    const shown = await output("tools", "get", "check_return_policy");
    assert.match(
      shown,
      /^ {2}pythonCode: \|\n {4}def check_return_policy\(\) -> dict:\n {8}"""Tells the return policy.{60,}/m,
    );
    const agent = await output("agents", "get", "front-desk");
    assert.match(agent, /^instruction: \|-?\n {2}<role>\n {2}You are the front desk/m);
  });

  it("list a collection as a table for people", async () => {
    const lines = (await output("agents", "list")).trimEnd().split("\n");
    assert.match(lines[0] ?? "", /^NAME +DISPLAY NAME +UPDATED$/);
    assert.ok(
      lines.some((line) => /^front-desk +Front desk +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(line)),
      lines.join("\n"),
    );
  });

  it("list evaluation runs with what came of them, and results with their verdicts", async () => {
    const rest = restOf(() => server);
    const evaluations = [`${APP}/evaluations/where-is-my-order`];
    const body = { evaluations, displayName: "Nightly", runCount: 2 };
    const ran = await finished(rest, await rest("POST", `${APP}:runEvaluation`, body));
    const rowsOf = async (...words: readonly string[]) =>
      (await output(...words))
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/).slice(1));
    const [heads, run] = await rowsOf("evaluation-runs", "list");
    assert.deepEqual(
      heads?.map((head, at) => [head, run?.[at]]).filter(([head]) => head !== "CREATED"),
      [
        ["DISPLAY NAME", "Nightly"],
        ["STATE", "completed"],
        ["PASSED", "2"],
        ["FAILED", "0"],
        ["NOT MEASURED", "0"],
        ["DID NOT RUN", "0"],
      ],
    );
    const results = await rowsOf("evaluation-results", "list");
    assert.deepEqual(
      results.map((row) => row.at(-1)),
      ["VERDICT", "passed", "passed"],
    );
    await finished(rest, await rest("DELETE", ran.response.evaluationRun));
  });

  it("list names and JSON for programs, page by page, filtered and cut", async () => {
    const names = (await output("agents", "list", "--app", "order-desk", "--output", "name")).trimEnd().split("\n");
    assert.ok(names.length > 2 && names.every((name) => name.startsWith(`${APP}/agents/`)));
    const [first] = JSON.parse(await output("agents", "list", "--json", "--limit", "1"));
    assert.equal(first.name, names[0]);
    const filter = 'display_name = "Front desk"';
    assert.equal(await output("agents", "list", "--filter", filter, "--output", "name"), `${APP}/agents/front-desk\n`);
  });

  it("change the entry of a map that a mask names, however its key is written", async () => {
    await output(
      "apps",
      "create",
      "keyed-shop",
      "--file",
      fileWith("displayName: Keyed\nmetadata: {order_id: a, orderId: b}"),
    );
    for (const key of ["order_id", "orderId"]) {
      const file = fileWith(`metadata: {${key}: new}`);
      const changed = JSON.parse(
        await output("apps", "update", "keyed-shop", "--file", file, "--mask", `metadata.${key}`, "--json"),
      );
      assert.equal(changed.metadata[key], "new");
      assert.equal(Object.keys(changed.metadata).length, 2);
    }
  });

  it("create, get, update and delete a resource in a file", async () => {
    const created = await output(
      "apps",
      "create",
      "corner-shop",
      "--file",
      fileWith("displayName: Shop\ndescription: old"),
      "--json",
    );
    assert.equal(JSON.parse(created).name, "projects/local/locations/us/apps/corner-shop");
    await output(
      "guardrails",
      "create",
      "polite",
      "--app",
      "corner-shop",
      "--file",
      fileWith(
        "displayName: Polite\nenabled: true\ncontentFilter: { bannedContents: [darn], matchType: WORD_BOUNDARY_STRING_MATCH }",
      ),
    );
    assert.match(await output("guardrails", "get", "polite", "--app", "corner-shop"), /^displayName: Polite$/m);
    await output("apps", "update", "corner-shop", "--file", fileWith("description: new"));
    const { displayName, description } = JSON.parse(await output("apps", "get", "corner-shop", "--json"));
    assert.deepEqual([displayName, description], ["Shop", "new"]);
    assert.match(
      await failure(
        "apps",
        "update",
        "corner-shop",
        "--file",
        fileWith("name: apps/other-shop\ndescription: of another"),
      ),
      /the file has the resource apps\/other-shop, and corner-shop is another, which it would replace\./,
    );
    assert.equal(
      await output("apps", "delete", "corner-shop", "--force"),
      "Deleted projects/local/locations/us/apps/corner-shop.\n",
    );
    assert.match(await failure("apps", "get", "corner-shop"), /apps\/corner-shop' was not found/);
  });

  it("delete an app with what belongs to it for who says so, and an empty one at once", async () => {
    await output("apps", "create", "full-shop", "--file", fileWith("displayName: Full"));
    await output(...["agents", "create", "clerk", "--app", "full-shop", "--file", fileWith("displayName: Clerk")]);
    // A process without a terminal has nobody to ask.
    const { code, stderr } = await runCommand(["apps", "delete", "full-shop", "--server", server.address]);
    assert.deepEqual(
      [code, /apps\/full-shop has 1 agent; --force deletes it with them\./.test(stderr)],
      [1, true],
      stderr,
    );
    await output("agents", "get", "clerk", "--app", "full-shop");
    await output("agents", "delete", "clerk", "--app", "full-shop");
    await output("apps", "delete", "full-shop");
    assert.match(await failure("apps", "delete", "full-shop"), /apps\/full-shop' was not found/);
  });

  it("list what an app has, and not what one that does not exist would have", async () => {
    for (const word of ["agents", "conversations", "deployments", "evaluation-results"])
      assert.match(await failure(word, "list", "--app", "nothing-here"), /apps\/nothing-here' was not found/, word);
  });

  it("say the id of what has a display name that was given as one", async () => {
    const named = await output("deploy", "order-desk", "api");
    const [, id = ""] = /\/deployments\/(\S+) is new/.exec(named) ?? assert.fail(named);
    assert.match(await output("deployments", "get", id), /^displayName: api$/m);
    assert.match(
      await failure("deployments", "get", "api"),
      new RegExp(`deployments/api' was not found\\. 'api' is the display name of ${id}: name that\\.`),
    );
    assert.match(await output("deploy", "order-desk", "new", "--dry-run"), /^'new' would be made, and run/);
    await output("deployments", "delete", id);
    assert.match(
      await failure("agents", "get", "frnt-desk"),
      /agents\/frnt-desk' was not found\. Did you mean front-desk\?/,
    );
    const slash = fileWith("{displayName: Day/Night, golden: {turns: []}}");
    await output("evaluations", "create", "day-and-night", "--file", slash);
    assert.match(
      await failure("evaluations", "get", "Day/Night"),
      /'Day\/Night' is the display name of day-and-night: name that\./,
    );
    await output("evaluations", "delete", "day-and-night");
  });

  it("say which app is meant, whatever is asked of it", async () => {
    await output("apps", "create", "second-shop", "--location", "eu", "--file", fileWith("displayName: Second shop"));
    const asked = [["agents", "list", "--app"], ["export"], ["run-evaluations"], ["logs"], ["deploy"], ["eval"]];
    for (const [at, words] of asked.entries()) {
      const folder = words[0] === "export" ? ["never-written"] : [];
      const refusal = (app: string) => failed(...words, app, ...folder);
      assert.match(await refusal("ordr-desk"), /apps\/ordr-desk' was not found\. Did you mean order-desk\?/);
      if (at > 1) continue;
      assert.match(await refusal("Order desk"), /'Order desk' is the display name of order-desk: name that\./);
      assert.match(await refusal("second-shop"), /Did you mean projects\/local\/locations\/eu\/apps\/second-shop\?/);
      assert.match(await refusal("nothing-here"), /apps\/nothing-here' was not found\.\n$/);
    }
    assert.match(
      await failure("agents", "get", "front-desk", "--app", "Order desk"),
      /There is no app 'Order desk'\. 'Order desk' is the display name of order-desk: name that\./,
    );
    await output("apps", "delete", "second-shop", "--location", "eu");
  });

  it("take whole names, and lists of all parents", async () => {
    assert.match(
      await output("data-agents", "get", "projects/local/locations/us/dataAgents/shop"),
      /^name: .*dataAgents\/shop$/m,
    );
    assert.equal(await output("evaluation-results", "list"), "None.\n");
    assert.match(await output("agents", "list", "--filter", "", "--output", "name"), /agents\/front-desk$/m);
  });

  it("say what is wrong, and what to do", async () => {
    for (const [args, message] of [
      [["agents"], /say what to do: frontdesk agents list\|get\|create\|update\|delete\./],
      [["changelogs", "delete", "x"], /changelogs cannot 'delete': use list, get\./],
      [["agents", "get"], /the name is missing: an id, or projects\/\{project\}/],
      [["evaluation-results", "get", "r1"], /Give the whole name, or --parent/],
      [["agents", "create", "a"], /--file is missing/],
      [["agents", "create", "a", "--file", "/nowhere.yaml"], /\/nowhere\.yaml cannot be read/],
      [["agents", "create", "a", "--file", fileWith("- 1")], /has no resource: expected an object/],
      [["agents", "create", "a", "--file", fileWith("displayname: x")], /the resource does not fit: .*displayname/],
      [["agents", "list", "--output", "xml"], /--output is 'xml'; use table, yaml, json, name\./],
      [["agents", "list", "my-app"], /agents list takes no name\. For those of an app, use --app my-app\./],
      [["agents", "list", "clerk", "--app", "my-app"], /agents list takes no name\. For one of them, use get clerk\./],
      [["apps", "list", "my-app"], /apps list takes no name\. For one of them, use get my-app\./],
      [["agents", "get", "one", "two"], /agents get takes one name; 'two' is one too many\./],
      [["agents", "list", "--app", ""], /--app is empty: give it a value, or leave the flag out\./],
      [["agents", "delete", "a", "--parent="], /--parent is empty/],
      [["apps", "list", "--project", ""], /--project is empty/],
      [["apps", "delete", ""], /an operand is empty; apps takes list\|get/],
      [
        ["agents", "create", "a", "--file", fileWith('{ "displayName": "x"', "json")],
        /\d\.json cannot be read: [^\n]* in JSON [^\n]*\n$/,
      ],
      [
        ["agents", "create", "a", "--file", fileWith("a: [")],
        /\d\.yaml cannot be read: [^\n]* at line 1, column \d+\.\n$/,
      ],
      [["agents", "list", "--limit", "-1"], /--limit is '-1'; use a whole number above 0\./],
      [["agents", "list", "--app", "--json"], /--app needs a value\. Run frontdesk help agents/],
      [["agents", "list", "--limit", "none"], /--limit is 'none'; use a whole number above 0\./],
      [["agents", "list", "--limit", "1.5"], /--limit is '1\.5'; use a whole number above 0\./],
    ] as const)
      assert.match(await failure(...args), message, args.join(" "));
  });
});
