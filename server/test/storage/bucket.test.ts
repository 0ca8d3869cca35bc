import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createLogger, systemClock } from "#base";
import { Code, ConnectError } from "#status";
import { moveBlobs, openStorage, type Storage, StorageError } from "#storage";
import {
  S3_KEYS,
  type S3Server,
  signatureOf,
  startPostgres,
  startS3Server,
  type ThrowawayPostgres,
  withoutPostgres,
} from "#testing";
import { blobContract } from "./blobs.ts";
import { bytes } from "./rows.ts";

const root = mkdtempSync(join(tmpdir(), "frontdesk-bucket-"));
const quiet = createLogger("silent");
let store: S3Server;
before(async () => {
  store = await startS3Server("files");
});
after(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

const bucketOf = (changes: object = {}) => ({
  ...{ endpoint: store.endpoint, region: "eu-central-1", bucket: "files", prefix: "desk/", ...S3_KEYS },
  ...changes,
});
const options = (folder: string, changes: object = {}) => ({
  ...{ dataDir: join(root, folder), bucket: bucketOf(), clock: systemClock, logger: quiet },
  ...changes,
});

describe("the signature that the stand-in for a store checks", () => {
  it("is that of the published example (Signature Version 4, GET Object)", () => {
    const empty = hash("sha256", "");
    const headers = { host: "examplebucket.s3.amazonaws.com", range: "bytes=0-9", "x-amz-content-sha256": empty };
    const time = "20130524T000000Z";
    const signature = signatureOf({
      ...{ method: "GET", url: "/test.txt", time, scope: "20130524/us-east-1/s3/aws4_request" },
      headers: { ...headers, "x-amz-date": time },
      secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    });
    assert.equal(signature, "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  });
});

describe("blobs of a data folder in a bucket (DB-14)", () => {
  let storage: Storage;
  before(async () => {
    storage = await openStorage(options("contract"));
  });
  after(() => storage.close());

  blobContract(() => storage);

  it("are objects below the prefix, and no files", async () => {
    await storage.blobs.put("an image", bytes(70_000));
    const name = `files/desk/${hash("sha256", "an image")}`;
    assert.deepEqual(store.objects.get(name), Buffer.from(bytes(70_000)));
    await storage.blobs.remove("an image");
    assert.equal(store.objects.has(name), false);
  });

  it("are stored after an error that passes, and UNAVAILABLE with RetryInfo while it lasts", async () => {
    store.refusals.push("InternalError", "InternalError");
    await storage.blobs.put("patient", bytes(3));
    store.refusals.push("QuotaExceeded");
    await assert.rejects(storage.blobs.put("patient", bytes(4)), (error) => {
      assert.ok(error instanceof ConnectError && error.code === Code.Unavailable);
      assert.doesNotMatch(error.message, /desk/);
      return error.details.length > 1;
    });
    assert.deepEqual(await storage.blobs.get("patient"), bytes(3));
  });
});

describe("blobs of a database in a bucket (DB-14)", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let storage: Storage;
  before(async () => {
    postgres = await startPostgres();
    storage = await openStorage(options("", { database: { url: postgres.url }, bucket: bucketOf({ prefix: "" }) }));
  });
  after(async () => {
    await storage.close();
    await postgres.stop();
  });

  blobContract(() => storage);

  it("are copied there and back, the newer one replacing the older", async () => {
    await storage.close();
    const own = { database: { url: postgres.url }, clock: systemClock, logger: quiet, dataDir: "" };
    const ends = { ...own, bucket: bucketOf({ prefix: "moved" }) };
    const [before, within] = [() => openStorage(own), () => openStorage(ends)];
    await change(before, { first: bytes(2), second: bytes(70_000) });
    const { tables } = await moveBlobs(ends, "to-bucket", () => {});
    assert.deepEqual([tables[0]?.name, tables[0]?.rows], ["blobs", 2]);
    await change(within, { second: bytes(5), third: bytes(6) });
    assert.equal((await moveBlobs(ends, "to-bucket", () => {})).tables[0]?.rows, 0);
    await moveBlobs(ends, "from-bucket", () => {});
    storage = await before();
    const found = await Promise.all(["first", "second", "third"].map((key) => storage.blobs.get(key)));
    assert.deepEqual(found, [bytes(2), bytes(5), bytes(6)]);
  });
});

describe("a data folder with files of its own and a bucket", () => {
  it("finds the files until the bucket has them, and removes both", async () => {
    const own = options("earlier", { bucket: undefined });
    const within = options("earlier", { bucket: bucketOf({ prefix: "earlier/" }) });
    await change(() => openStorage(own), { kept: bytes(9), gone: bytes(8) });
    const storage = await openStorage(within);
    assert.deepEqual(await storage.blobs.get("kept"), bytes(9));
    await storage.blobs.remove("gone");
    assert.equal(await storage.blobs.get("gone"), undefined);
    await storage.close();
    assert.equal((await moveBlobs(within, "to-bucket", () => {})).tables[0]?.rows, 1);
    await assert.doesNotReject(moveBlobs(within, "from-bucket", () => {}));
  });
});

describe("a start with a bucket that cannot be used", () => {
  const CASES = [
    ["that nobody answers for", { endpoint: "http://127.0.0.1:1" }, /cannot be reached .*FRONTDESK_S3_ENDPOINT/],
    ["with a wrong secret", { secretAccessKey: "not-the-secret" }, /refuses the keys: check FRONTDESK_S3_ACCESS_KEY/],
    ["with unknown keys", { accessKeyId: "AKIDUNKNOWN" }, /refuses the keys/],
    ["that does not exist", { bucket: "missing" }, /does not exist: create it/],
  ] as const;
  for (const [name, changes, sentence] of CASES)
    it(`ends with one sentence for one ${name}`, async () => {
      const opening = openStorage(options("refused", { bucket: bucketOf(changes) }));
      await assert.rejects(opening, (error) => {
        assert.ok(error instanceof StorageError);
        assert.match(error.message, sentence);
        assert.doesNotMatch(error.message, /secret|AKID|\n/);
        return true;
      });
    });

  it("ends with one sentence for keys without rights, and for a clock that is wrong", async () => {
    store.refusals.push("AccessDenied");
    await assert.rejects(openStorage(options("refused")), /grant s3:GetObject/);
    const clock = { ...systemClock, now: () => Date.now() + 3_600_000 };
    await assert.rejects(openStorage(options("refused", { clock })), /another time than this machine/);
  });

  it("leaves the data folder free", async () => {
    await (await openStorage(options("refused"))).close();
  });
});

async function change(open: () => Promise<Storage>, blobs: Readonly<Record<string, Uint8Array>>): Promise<void> {
  const storage = await open();
  for (const [key, content] of Object.entries(blobs)) await storage.blobs.put(key, content);
  await storage.close();
}
