import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Finding } from "#app";
import { startTestServer, TEST_CACHE, type TestServer } from "#testing";
import { type CommandLine, openCommandLine } from "../command-line.ts";

describe("frontdesk doctor", () => {
  const root = mkdtempSync(join(tmpdir(), "cli-doctor-"));
  let server: TestServer;
  /** Something that is no Frontdesk server, an hour behind. */
  let other: Server;
  let commands: CommandLine;
  before(async () => {
    server = await startTestServer();
    other = createServer((_request, response) => {
      response.sendDate = false;
      response.setHeader("date", new Date(Date.now() - 3_600_000).toUTCString()).end("hello");
    });
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    commands = openCommandLine();
  });
  after(async () => {
    await commands[Symbol.asyncDispose]();
    other.close();
    await server[Symbol.asyncDispose]();
    rmSync(root, { recursive: true });
  });

  const portOf = (address: string | Server) =>
    typeof address === "string" ? new URL(address).port : String((address.address() as AddressInfo).port);
  const run = (variables: NodeJS.ProcessEnv, ...args: readonly string[]) =>
    commands.run(["doctor", ...args], {
      cwd: root,
      env: { PATH: process.env.PATH, XDG_CONFIG_HOME: root, FRONTDESK_CACHE: TEST_CACHE, ...variables },
    });
  const findings = async (variables: NodeJS.ProcessEnv, ...args: readonly string[]) => {
    const { code, stdout, stderr } = await run(variables, "--json", ...args);
    assert.equal(stderr, "");
    const found = JSON.parse(stdout) as readonly Finding[];
    assert.equal(code, found.some(({ state }) => state === "fault") ? 1 : 0);
    return (name: string) => found.find((finding) => finding.name === name);
  };

  it("finds nothing at fault on a machine that is fit, and says that no model is configured", async () => {
    const found = await findings({ FRONTDESK_PORT: "0" });
    for (const name of ["node", "port", "data folder", "database", "egress", "clock"])
      assert.equal(found(name)?.state, "ok", JSON.stringify(found(name)));
    assert.notEqual(found("python")?.state, "fault", found("python")?.detail);
    assert.equal(found("models")?.state, "warning");
    assert.match(found("models")?.fix ?? "", /set GEMINI_API_KEY/);
    const { code, stdout } = await run({ FRONTDESK_PORT: "0" });
    assert.equal(code, 0);
    assert.match(stdout, /^warning +models +none is configured.*\n +→ set GEMINI_API_KEY/m);
  });

  it("knows the server that runs, its database, and the one that commands call", async () => {
    const found = await findings(
      {},
      "--port",
      portOf(server.address),
      "--data",
      server.dataDir,
      "--server",
      server.address,
    );
    assert.match(found("port")?.detail ?? "", /^Frontdesk \d+\.\d+\.\d+ runs on \d+$/);
    assert.match(found("database")?.detail ?? "", /^SQLite, \d+\.\d MiB$/);
    const answers = { name: "server", state: "ok", detail: `${server.address} answers` };
    assert.deepEqual(found("server"), answers);
    assert.deepEqual((await findings({ FRONTDESK_SERVER: server.address, FRONTDESK_PORT: "0" }))("server"), answers);
  });

  it("says which secrets of tools have no value or no app, and which folders to search are not there", async () => {
    const config = (outbound: object) => {
      const path = join(root, "tools.json");
      const dataStores = { "projects/*/locations/*/collections/*/dataStores/docs": { folder: "no-such-folder" } };
      writeFileSync(path, JSON.stringify({ outbound, search: { dataStores } }));
      return ["--config", path];
    };
    const secrets = { "shop-key": { env: "SHOP_KEY" } };
    const environment = { FRONTDESK_PORT: "0" };
    const without = await findings(environment, ...config({ secrets, grants: [{}] }));
    assert.equal(without("secrets")?.state, "fault");
    assert.equal(without("secrets")?.detail, "without a value: shop-key (environment variable SHOP_KEY)");
    assert.match(
      without("search")?.detail ?? "",
      /dataStores\/docs is to be searched in .*no-such-folder, which is not a/,
    );
    const ungranted = await findings({ ...environment, SHOP_KEY: "k" }, ...config({ secrets }));
    assert.deepEqual([ungranted("secrets")?.state, ungranted("secrets")?.detail], ["warning", "no app may use any"]);
    const granted = await findings({ ...environment, SHOP_KEY: "k" }, ...config({ secrets, grants: [{}] }));
    assert.equal(granted("secrets")?.state, "ok");
  });

  it("says that servers will doubt the clock, and what to do (DB-31)", async () => {
    const data = join(root, "left-alone");
    const clock = { now: () => Date.now() - 12 * 86_400_000 };
    const last = await startTestServer({ dataDir: data, clock });
    await last.stop();
    const found = await findings({ FRONTDESK_PORT: "0" }, "--data", data);
    const { state, detail, fix = "" } = found("last use") ?? {};
    const told =
      "The clock of this machine is 12 days after the time when this data was last in use, so nothing is erased";
    assert.deepEqual([state, detail], ["warning", `${told} and no schedule runs`]);
    assert.match(fix, /^Set the clock; where it is right, say so: frontdesk operations retry projects\/-\//);
  });

  it("names variables that look like settings and are none", async () => {
    const found = await findings({ FRONTDESK_PORT: "0", FRONTDESK_DATABSE_URL: "postgres://db/desk" });
    assert.deepEqual(found("environment"), {
      name: "environment",
      state: "warning",
      detail: "FRONTDESK_DATABSE_URL is no setting and was ignored; did you mean FRONTDESK_DATABASE_URL?",
      fix: "correct or remove it",
    });
  });

  it("names each fault with its fix", async () => {
    const file = join(root, "a-file");
    writeFileSync(file, "");
    const damaged = mkdtempSync(join(root, "damaged-"));
    writeFileSync(join(damaged, "frontdesk.db"), "this is no database".repeat(100));
    const moved = mkdtempSync(join(root, "moved-"));
    writeFileSync(join(moved, "unfinished-move"), "");
    const provider = { OPENAI_API_KEY: "k", FRONTDESK_PORT: "0" };
    const rows: readonly [NodeJS.ProcessEnv, readonly string[], name: string, detail: RegExp][] = [
      [{}, ["--port", portOf(other)], "port", /another program uses \d+/],
      [{ FRONTDESK_PORT: "0" }, ["--data", join(file, "data")], "data folder", /a-file is not a folder/],
      [
        { FRONTDESK_PORT: "0" },
        ["--data", damaged],
        "database",
        /frontdesk\.db' cannot be read: file is not a database/,
      ],
      [{ FRONTDESK_PORT: "0" }, ["--data", moved], "database", /A move into '.*' has begun and not ended/],
      [
        { ...provider, OPENAI_BASE_URL: "http://127.0.0.1:9/v1" },
        [],
        "model openai",
        /http:\/\/127\.0\.0\.1:9 cannot be reached/,
      ],
      [{ FRONTDESK_LOG_FORMAT: "xml" }, [], "settings", /FRONTDESK_LOG_FORMAT is 'xml'/],
      [{ FRONTDESK_PORT: "0" }, ["--server", "http://127.0.0.1:9"], "server", /cannot be reached/],
    ];
    for (const [variables, args, name, detail] of rows) {
      const finding = (await findings(variables, ...args))(name);
      assert.equal(finding?.state, "fault", `${name}: ${finding?.detail}`);
      assert.match(finding?.detail ?? "", detail);
      assert.ok(finding?.fix, name);
    }
  });

  it("looks at the data of each mapping: its files, and whether its database answers", async () => {
    writeFileSync(join(root, "orders.csv"), "id\n1\n");
    const config = join(root, "data.yaml");
    const sources = ["acme.sales: ./orders.csv", "acme.crm: { postgres: { env: CRM_URL } }"];
    writeFileSync(config, `warehouse:\n  sources:\n${sources.map((line) => `    ${line}\n`).join("")}`);
    const variables = { FRONTDESK_PORT: "0", CRM_URL: "postgresql://reader:secret@127.0.0.1:9/crm" };
    const found = await findings(variables, "--config", config);
    assert.equal(found("data acme.sales")?.state, "ok");
    assert.equal(found("data acme.crm")?.state, "fault");
    assert.doesNotMatch(JSON.stringify(found("data acme.crm")), /secret/);
    assert.match(found("data acme.crm")?.fix ?? "", /check the address and the login/);
  });

  it("compares the clock with servers outside, and warns of what is given away", async () => {
    const found = await findings({
      FRONTDESK_PORT: "0",
      OPENAI_API_KEY: "k",
      OPENAI_BASE_URL: `http://127.0.0.1:${portOf(other)}/v1`,
      FRONTDESK_EGRESS_ALLOW: "169.254.169.254",
    });
    assert.equal(found("model openai")?.state, "ok");
    assert.match(found("models")?.detail ?? "", /^openai \(/);
    assert.match(found("clock")?.detail ?? "", /^3\d{3} s ahead of other servers$/);
    assert.deepEqual([found("clock")?.state, found("egress")?.state], ["warning", "warning"]);
  });
});
