import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { finished, restOf } from "../rest.ts";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/order-desk`;

/** Cloud Storage as its XML API is: objects by bucket, of which `open` can be read by everybody and the others with the token alone. */
const objects = new Map<string, Buffer>();
const storage = createServer(async (request, response) => {
  const path = decodeURIComponent(request.url ?? "");
  const isOurs = request.headers.authorization === "Bearer our-token";
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (!isOurs && !(request.method === "GET" && path.startsWith("/open/"))) response.statusCode = 403;
  else if (request.method === "PUT") objects.set(path, Buffer.concat(chunks));
  else if (!objects.has(path)) response.statusCode = 404;
  response.end(request.method === "GET" && response.statusCode === 200 ? objects.get(path) : "");
});

let server: TestServer;
before(async () => {
  await new Promise<void>((resolve) => storage.listen(0, "127.0.0.1", resolve));
  const cloudStorage = {
    endpoint: `http://127.0.0.1:${(storage.address() as AddressInfo).port}`,
    accessToken: async () => "our-token",
    timeoutMs: 5_000,
    buckets: [{ name: "ours" }, { name: "team", apps: ["projects/other/*", `${APP}`] }],
  };
  server = await startTestServer({ example: true, config: { cloudStorage, egressAllow: ["127.0.0.1"] } });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  storage.close();
});

const rest = restOf(() => server);

/** The outcome of a long-running call: its response or its error. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
async function outcome(path: string, body: object): Promise<any> {
  const operation = await finished(rest, await rest("POST", path, body));
  return operation.response ?? operation.error;
}

const exported = (gcsUri: string) => outcome(`${APP}:exportApp`, { exportFormat: "JSON", gcsUri });
const imported = (body: object) => outcome(`${PARENT}/apps:importApp`, body);
const patch = (value: string) => JSON.stringify([{ op: "replace", path: "/app/displayName", value }]);

describe("an app in Cloud Storage", () => {
  it("is written to the operator's bucket and read from it, and the patch too", async () => {
    assert.equal((await exported("gs://ours/backups/order desk.zip")).appUri, "gs://ours/backups/order desk.zip");
    objects.set("/ours/patch.json", Buffer.from(patch("From the bucket")));
    const { name } = await imported({
      gcsUri: "gs://ours/backups/order desk.zip",
      jsonPatchGcsUri: "gs://ours/patch.json",
    });
    assert.equal((await rest("GET", name)).displayName, "From the bucket");
    const again = await outcome(`${name}:exportApp`, { exportFormat: "JSON" });
    assert.ok(Buffer.from(again.appContent, "base64").length > 1_000);
  });

  it("is read without credentials from all other buckets, and never written there", async () => {
    objects.set("/open/app.zip", objects.get("/ours/backups/order desk.zip") ?? Buffer.of());
    const { name } = await imported({ gcsUri: "gs://open/app.zip", jsonPatchContent: patch("Public") });
    assert.equal((await rest("GET", name)).displayName, "Public");
    objects.set("/theirs/app.zip", Buffer.of(1));
    const secret = await imported({ gcsUri: "gs://theirs/app.zip" });
    assert.equal(secret.code, 9);
    assert.match(secret.message, /answered 403\. Without credentials .* adds 'theirs' to cloudStorage\.buckets/);
    const foreign = await exported("gs://open/mine.zip");
    assert.match(foreign.message, /gs:\/\/open\/mine\.zip cannot be written: .* adds 'open' to cloudStorage\.buckets/);
    assert.equal(objects.has("/open/mine.zip"), false);
  });

  it("is kept from a bucket that is open to other apps", async () => {
    assert.equal((await exported("gs://team/app.zip")).appUri, "gs://team/app.zip");
    const closed =
      /the bucket 'team' is not open to 'projects\/local\/locations\/us\/apps\/copy-desk'; the operator can add it/;
    const read = await imported({ appId: "copy-desk", gcsUri: "gs://team/app.zip" });
    assert.equal(read.code, 9);
    assert.match(read.message, closed);
    const { name } = await imported({ appId: "copy-desk", gcsUri: "gs://ours/backups/order desk.zip" });
    const before = objects.get("/team/app.zip");
    const written = await outcome(`${name}:exportApp`, { exportFormat: "JSON", gcsUri: "gs://team/app.zip" });
    assert.match(written.message, closed);
    assert.equal(objects.get("/team/app.zip"), before);
  });

  it("is kept from buckets that an object's name would climb to", async () => {
    objects.set("/theirs/app.zip", objects.get("/ours/backups/order desk.zip") ?? Buffer.of());
    const before = objects.get("/theirs/app.zip");
    for (const gcsUri of ["gs://ours/../theirs/app.zip", "gs://ours/a/../../theirs/app.zip", "gs://ours/./app.zip"]) {
      const read = await imported({ gcsUri });
      assert.deepEqual(
        [read.code, /'\.' or '\.\.' is no part of the name/.test(read.message)],
        [3, true],
        read.message,
      );
      assert.equal((await exported(gcsUri)).code, 3, gcsUri);
    }
    assert.equal(objects.get("/theirs/app.zip"), before);
  });

  it("is refused by name when the address is none, the object is missing, or no package", async () => {
    const { apps } = await rest("GET", `${PARENT}/apps`);
    const none = await imported({ gcsUri: "https://ours/app.zip" });
    assert.equal(none.code, 3);
    assert.match(none.message, /gcs_uri: 'https:\/\/ours\/app\.zip' is not gs:\/\/<bucket>\/<object>/);
    assert.match((await imported({ gcsUri: "gs://ours/none.zip" })).message, /answered 404\. Check the object's name/);
    assert.match((await imported({ gcsUri: "gs://ours/patch.json" })).message, /is not a zip archive/);
    assert.match((await exported("gs://ours")).message, /is not gs:\/\/<bucket>\/<object>/);
    assert.equal((await rest("GET", `${PARENT}/apps`)).apps.length, apps.length);
  });

  it("is no way for evaluations around the same rules", async () => {
    const { evaluations } = await rest("GET", `${APP}/evaluations`);
    const request = { names: [evaluations[0].name], includeEvaluations: true };
    const to = (gcsUri: string) =>
      outcome(`${APP}/evaluations:export`, { ...request, exportOptions: { gcsUri, exportFormat: "JSON" } });
    assert.equal((await to("gs://ours/goldens.json")).evaluationsUri, "gs://ours/goldens.json");
    assert.equal(JSON.parse(String(objects.get("/ours/goldens.json"))).evaluations.length, 1);
    assert.match((await to("gs://open/goldens.json")).message, /cannot be written/);
  });
});
