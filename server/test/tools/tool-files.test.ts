import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { nonEmptyFields } from "#base";
import { startTestServer, type TestServer } from "#testing";
import { openCommandLine } from "../command-line.ts";
import { restOf } from "../rest.ts";

const APP = "projects/local/locations/us/apps/library";
const TOOL = `${APP}/tools/manuals`;

let server: TestServer;
let folder: string;
const rest = restOf(() => server);

before(async () => {
  [folder, server] = await Promise.all([mkdtemp(join(tmpdir(), "frontdesk-upload-")), startTestServer()]);
  await rest("POST", "projects/local/locations/us/apps?appId=library", { displayName: "Library" });
  await rest("POST", `${APP}/tools?toolId=manuals`, { fileSearchTool: { name: "manuals" } });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** A request beside the API: status and JSON. */
async function upload(method: string, path: string, body?: string | Uint8Array<ArrayBuffer>) {
  const response = await fetch(`${server.address}/upload/v1beta/${path}`, { method, ...nonEmptyFields({ body }) });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
  return { status: response.status, json: (await response.json()) as any };
}

const namesOf = async (tool = TOOL): Promise<readonly string[]> =>
  (await upload("GET", `${tool}/files`)).json.files.map(({ name }: { name: string }) => name);

const found = async (query: string) => {
  const { response } = await rest("POST", `${APP}:executeTool`, { tool: TOOL, args: { query } });
  return (response.snippets ?? []).map(({ uri }: { uri: string }) => uri);
};

/** Status and message of an error response. */
const errorOf = async (method: string, path: string, body?: string) => {
  const { status, json } = await upload(method, path, body);
  const { message, details = [] } = json.error;
  return `${status} ${details[0]?.fieldViolations?.[0]?.description ?? message}`;
};

describe("files of a file search tool", () => {
  it("are stored, found with the next query, replaced and deleted", async () => {
    assert.deepEqual(await namesOf(), []);
    const put = await upload("PUT", `${TOOL}/files/washing%20up.md`, "# Laces\nLaces are washed by hand.");
    assert.deepEqual([put.status, put.json.name, put.json.sizeBytes], [200, "washing up.md", "33"]);
    assert.deepEqual(await found("how to wash laces"), ["washing up.md"]);
    await upload("PUT", `${TOOL}/files/washing%20up.md`, "# Boots\nBoots are brushed with care.");
    assert.deepEqual([await found("brushing boots"), await found("laces")], [["washing up.md"], []]);
    assert.equal((await upload("DELETE", `${TOOL}/files/washing%20up.md`)).status, 200);
    assert.deepEqual([await namesOf(), await found("boots")], [[], []]);
    assert.equal((await upload("DELETE", `${TOOL}/files/washing%20up.md`)).status, 404);
  });

  it("have plain names of supported kinds, with content that matches the name", async () => {
    const dots = encodeURIComponent("../../evil.md");
    for (const name of [dots, encodeURIComponent("..\\evil.md"), ".hidden.md", "a%00.md", `${"x".repeat(300)}.md`])
      assert.match(await errorOf("PUT", `${TOOL}/files/${name}`, "x"), /^400 must be a file name/, name);
    assert.match(await errorOf("PUT", `${TOOL}/files/run.exe`, "MZ"), /^400 must end in one of \.txt, /);
    assert.match(await errorOf("PUT", `${TOOL}/files/a.pdf`, "no pdf"), /^400 is not a pdf file/);
    assert.match(await errorOf("PUT", `${TOOL}/files/a.txt`, "\0\0\0"), /^400 is not a text file/);
    assert.match(await errorOf("PUT", `${TOOL}/files/a.txt`), /^400 is empty/);
    assert.deepEqual(await namesOf(), []);
  });

  it("are limited before they are read", async () => {
    const large = new Uint8Array(64 * 1024 * 1024 + 1);
    const { status, json } = await upload("PUT", `${TOOL}/files/large.txt`, large);
    assert.deepEqual([status, json.error.message], [413, "Request payload size exceeds the limit: 67108864 bytes."]);
  });

  it("belong to existing file search tools without a corpus of the operator", async () => {
    await rest("POST", `${APP}/tools?toolId=mapped`, {
      fileSearchTool: { name: "mapped", fileCorpus: "projects/p/locations/l/ragCorpora/c" },
    });
    await rest("POST", `${APP}/tools?toolId=other`, { clientFunction: { name: "other" } });
    assert.match(await errorOf("GET", `${APP}/tools/nowhere/files`), /^404 Resource '.*nowhere' was not found/);
    assert.match(await errorOf("GET", `${APP}/tools/other/files`), /^400 The tool 'other' is not a file search tool/);
    assert.match(await errorOf("PUT", `${APP}/tools/mapped/files/a.md`, "x"), /^400 The tool searches the corpus/);
    assert.match(await errorOf("GET", "somewhere"), /^404 Not found: /);
    assert.match(await errorOf("PUT", `${TOOL}/files`, "x"), /^405 PUT/);
  });

  it("get UNAVAILABLE while a disk is full, and are taken once it has space", {
    skip: existsSync("/dev/full") ? false : "this system has no /dev/full",
  }, async () => {
    const below = join(server.dataDir, "files", "local", "us", "library", "manuals");
    await mkdir(below, { recursive: true });
    // What is written there first goes to a disk without space.
    await symlink("/dev/full", join(below, `.upload-${process.pid}`));
    const { status, json } = await upload("PUT", `${TOOL}/files/full.md`, "# Full");
    const [{ reason, metadata }] = json.error.details;
    assert.deepEqual([status, reason, metadata], [503, "STORAGE_UNAVAILABLE", { storage: "FULL" }]);
    assert.match(json.error.message, /^A disk of the server has no space left\./);
    assert.equal((await upload("PUT", `${TOOL}/files/full.md`, "# Full")).status, 200);
    assert.equal((await upload("DELETE", `${TOOL}/files/full.md`)).status, 200);
  });

  it("cannot be used by pages of other sites", async () => {
    const headers = { origin: "https://evil.example" };
    const response = await fetch(`${server.address}/upload/v1beta/${TOOL}/files`, { headers });
    assert.equal(response.status, 403);
    await response.arrayBuffer();
  });

  it("are uploaded and deleted by the command", async () => {
    const env = { ...process.env, FRONTDESK_SERVER: server.address };
    const path = join(folder, "returns.txt");
    await writeFile(path, "Shoes come back within thirty days.");
    await using commandLine = openCommandLine();
    const run = (...words: string[]) => commandLine.run(["files", "library", "manuals", ...words], { env });
    const done = (stdout: string) => ({ code: 0, stdout, stderr: "" });
    assert.deepEqual(await run(path), done("        35  returns.txt\n"));
    assert.deepEqual(await found("shoes"), ["returns.txt"]);
    assert.deepEqual(await run("--remove", "returns.txt"), done(""));
    const { code, stderr } = await run(import.meta.filename);
    assert.match(stderr, /^frontdesk: tool-files\.test\.ts: /m);
    assert.notEqual(code, 0);
  });
});

describe("files of tools whose names differ in little", () => {
  const apps = ["projects/acme.x/locations/us", "projects/acme_x/locations/us"].map(
    (parent) => `${parent}/apps/library`,
  );
  const [dotted = "", other = ""] = apps;
  const createApp = (app: string) =>
    rest("POST", `${app.replace("/apps/library", "")}/apps?appId=library`, { displayName: "Library" });
  const createTool = (app: string, toolId: string, displayName: string) =>
    rest("POST", `${app}/tools?toolId=${toolId}`, { displayName, fileSearchTool: { name: displayName } });
  before(async () => {
    for (const app of apps) {
      await createApp(app);
      await createTool(app, "manuals", "manuals");
    }
    await createTool(dotted, "english", "FAQ (EN)");
    await createTool(dotted, "bracketed", "FAQ [EN]");
  });

  it("are each tool's own, in projects and in one app", async () => {
    await upload("PUT", `${dotted}/tools/manuals/files/secret.md`, "The safe has the number 42.");
    assert.deepEqual(await namesOf(`${other}/tools/manuals`), []);
    assert.equal((await upload("DELETE", `${other}/tools/manuals/files/secret.md`)).status, 404);
    await upload("PUT", `${dotted}/tools/english/files/faq.md`, "We open at nine.");
    assert.deepEqual(await namesOf(`${dotted}/tools/bracketed`), []);
    assert.deepEqual(await namesOf(`${dotted}/tools/english`), ["faq.md"]);
  });

  it("are removed with their app, so that who makes one of its name gets none", async () => {
    await upload("PUT", `${other}/tools/manuals/files/kept.md`, "Kept.");
    await rest("DELETE", dotted);
    await createApp(dotted);
    await createTool(dotted, "manuals", "manuals");
    assert.deepEqual(await namesOf(`${dotted}/tools/manuals`), []);
    assert.deepEqual(await namesOf(`${other}/tools/manuals`), ["kept.md"]);
  });
});
