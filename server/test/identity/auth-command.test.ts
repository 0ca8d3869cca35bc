import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createRoles } from "#access";
import { type CommandRun, openCommandLine } from "../command-line.ts";
import { type AuthServer, bearer, LOCATION, startAuthServer } from "./auth-server.ts";
import { sign } from "./sign.ts";

const APPS = `/v1beta/${LOCATION}/apps`;

const commands = openCommandLine();
let folder: string;
let data: string;
let server: AuthServer;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-auth-"));
  data = join(folder, "data");
  server = await start();
});
after(async () => {
  await commands[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** A server on which nobody has a role. */
const start = () => startAuthServer({ dataDir: data, config: { access: { roles: createRoles(), bindings: [] } } });

/** Runs `frontdesk auth` on the data folder. */
const auth = (...args: readonly string[]): Promise<CommandRun> =>
  commands.run(["auth", ...args, "--data", data], { cwd: folder });

/** 403: who calls is known, and has no role. 401: nobody is known. */
const statusWith = async (key: string) => (await server.call(APPS, { "x-goog-api-key": key })).status;

describe("frontdesk auth, while the server runs (AUTH-18)", () => {
  it("makes a key that counts at once, lists it, and revokes it at once", async () => {
    const made = await auth("create-api-key", "nightly", "--expires", "90d");
    const key = made.stdout.trim();
    assert.deepEqual([made.code, await statusWith(key)], [0, 403]);
    const [, id = ""] = key.split(".");
    const { stdout } = await auth("list-keys");
    assert.match(stdout, new RegExp(`^${id} +apiKey:${id} +nightly +\\d{4}-.* +\\d{4}-.* +\\d{4}-`, "m"));
    assert.equal(stdout.includes(key), false);
    assert.equal((await auth("revoke-key", id)).code, 0);
    assert.equal(await statusWith(key), 401);
  });

  it("makes a key with a role, and none when there is no such role", async () => {
    const { code, stdout } = await auth("create-api-key", "talks", "--role", "roles/viewer");
    assert.deepEqual([code, await statusWith(stdout.trim())], [0, 200]);
    const wrong = await auth("create-key", "typo", "--role", "roles/veiwer");
    assert.deepEqual([wrong.code, /roles\/veiwer/.test(wrong.stderr)], [1, true], wrong.stderr);
    await assert.rejects(stat(join(folder, "typo.json")));
    assert.doesNotMatch((await auth("list-keys")).stdout, /typo/);
  });

  it("makes the first admin by a key file for its owner only, and never writes over another", async () => {
    const made = await auth("init");
    const path = join(folder, "admin.json");
    const file = JSON.parse(await readFile(path, "utf8")) as Readonly<Record<string, string>> & {
      readonly client_email: string;
      readonly private_key: string;
      readonly private_key_id: string;
    };
    assert.deepEqual(
      [made.code, file.client_email, file.token_uri, (await stat(path)).mode & 0o777],
      [0, "admin@local.frontdesk.local", `${server.address}/token`, 0o600],
    );
    const { private_key_id: kid, private_key } = file;
    const admin = bearer(await sign({ email: file.client_email, kid, privateKey: createPrivateKey(private_key) }));
    assert.equal((await server.call(APPS, admin)).status, 200);
    const again = await auth("create-key", "admin");
    assert.equal(again.code, 1);
    assert.match(again.stderr, /admin\.json cannot be written: .*Name another file with --out/);
    const { stdout } = await auth("list-keys");
    assert.equal(stdout.match(/serviceAccount:admin@/g)?.length, 1);
  });

  it("makes a link that signs in", async () => {
    const { stdout } = await auth("link", "--user", "ann@example.com");
    const response = await fetch(stdout.trim(), { redirect: "manual" });
    assert.match(response.headers.get("set-cookie") ?? "", /^frontdesk_session=/);
  });

  it("says in one sentence what is wrong", async () => {
    const cases: readonly (readonly [args: readonly string[], words: RegExp])[] = [
      [["creat-key"], /auth cannot 'creat-key': use init, create-key/],
      [["create-key"], /Name the service account/],
      [["create-key", "Big", "--out", "-"], /'Big' cannot be the id of an account/],
      [["create-api-key", "--expires", "soon"], /--expires is 'soon'; use e.g. 12h or 90d/],
      [["revoke-key", "none"], /was not found/],
    ];
    for (const [args, words] of cases) {
      const { code, stderr } = await auth(...args);
      assert.equal(code, 1);
      assert.match(stderr, words);
    }
  });

  it("leaves the operator's token where its owner alone can read it, and another start makes another", async () => {
    const path = join(data, "operator.json");
    const { token } = JSON.parse(await readFile(path, "utf8")) as { token: string };
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await server.call(APPS, bearer(token))).status, 200);
    assert.equal((await server.call(APPS, bearer(`${token}x`))).status, 401);
  });
});

describe("frontdesk auth, while no server runs", () => {
  it("works on the folder itself, also when a server that was killed has left its file", async () => {
    await server.stop();
    await writeFile(
      join(data, "operator.json"),
      JSON.stringify({ pid: 2 ** 22 + 1, address: "http://127.0.0.1:9", token: "t" }),
    );
    const made = await auth("create-api-key", "offline");
    assert.deepEqual([made.code, made.stdout.startsWith("fdkey1.")], [0, true]);
    server = await start();
    assert.equal(await statusWith(made.stdout.trim()), 403);
  });
});
