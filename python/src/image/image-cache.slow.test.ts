import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { SILENT, TEST_CACHE } from "../../test/test-sandbox.ts";
import { IMAGE_FILE, ImageCache, METADATA_FILE } from "./image-cache.ts";

const { signal } = new AbortController();

describe("the image cache", () => {
  let cache: string;
  let image: string;
  before(async () => {
    const shared = await new ImageCache({ cacheFolder: TEST_CACHE }, SILENT, signal).ensure();
    cache = await mkdtemp(join(tmpdir(), "frontdesk-image-"));
    image = join(cache, basename(shared));
    await cp(shared, image, { recursive: true });
  });
  after(() => rm(cache, { recursive: true, force: true }));

  it("uses an image that is whole as it is", async () => {
    const before = await readFile(join(image, IMAGE_FILE));
    assert.equal(await new ImageCache({ cacheFolder: cache }, SILENT, signal).ensure(), image);
    assert.ok(before.equals(await readFile(join(image, IMAGE_FILE))));
  });

  it("builds a damaged image anew, once for all that ask, and leaves nothing unfinished behind", async () => {
    const damaged = await readFile(join(image, IMAGE_FILE));
    damaged[1_000_000] = (damaged[1_000_000] ?? 0) ^ 1;
    await writeFile(join(image, IMAGE_FILE), damaged);
    const told: string[] = [];
    const logger = { ...SILENT, info: (_fields: object, text: string) => void told.push(text) };
    const askers = [1, 2, 3].map(() => new ImageCache({ cacheFolder: cache }, logger, signal).ensure());
    assert.deepEqual(new Set(await Promise.all(askers)), new Set([image]));
    assert.deepEqual(told, ["building the Python image", "built the Python image"]);
    const { sha256 } = JSON.parse(await readFile(join(image, METADATA_FILE), "utf8"));
    const built = await readFile(join(image, IMAGE_FILE));
    assert.equal(createHash("sha256").update(built).digest("hex"), sha256);
    assert.deepEqual(await readdir(cache), [basename(image)]);
  });

  it("builds again only some seconds after a build failed, and then goes on", async () => {
    const place = join(cache, "full");
    await writeFile(place, "a file, where no folder can be made");
    const told: string[] = [];
    const logger = { ...SILENT, info: (_fields: object, text: string) => void told.push(text) };
    let now = 0;
    const images = new ImageCache({ cacheFolder: place }, logger, signal, () => now);
    const failed = (await Promise.allSettled([1, 2, 3].map(() => images.ensure()))).map(({ status }) => status);
    assert.deepEqual(failed, ["rejected", "rejected", "rejected"]);
    now += 14_000;
    await assert.rejects(images.ensure(), /EEXIST|ENOTDIR/);
    assert.deepEqual(told, ["building the Python image"]);
    await rm(place);
    await mkdir(place);
    await cp(image, join(place, basename(image)), { recursive: true });
    assert.equal(await images.ensure(), join(place, basename(image)));
    await rm(place, { recursive: true });
  });

  it("says why it cannot build", async () => {
    const aborted = AbortSignal.abort();
    const elsewhere = join(cache, "elsewhere");
    await assert.rejects(
      new ImageCache({ cacheFolder: elsewhere }, SILENT, aborted).ensure(),
      /the Python image could not be built/,
    );
  });
});
