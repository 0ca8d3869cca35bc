import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deflateRawSync } from "node:zlib";
import { Code, ConnectError } from "#status";
import { textFile } from "../package-files.ts";
import { PACKAGE_LIMITS, readZip } from "./read-zip.ts";
import { writeZip } from "./write-zip.ts";

const TIME = Date.UTC(2026, 8, 1, 12, 30, 10);
const NAME = "Aa/x.txt";

/** A zip of one entry, `name` overwritten in both places by another of the same length. */
async function renamed(name: string): Promise<Uint8Array> {
  const zip = Buffer.from(await writeZip([textFile("n".repeat(Buffer.byteLength(name)), "text")], TIME));
  const old = Buffer.from("n".repeat(Buffer.byteLength(name)));
  for (let at = zip.indexOf(old); at >= 0; at = zip.indexOf(old)) zip.write(name, at, "utf8");
  return zip;
}

/** A zip of one entry with bytes of its directory entry changed. */
async function patched(offset: number, ...bytes: number[]): Promise<Uint8Array> {
  const zip = Buffer.from(await writeZip([textFile(NAME, "text")], TIME));
  zip.set(bytes, zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + offset);
  return zip;
}

async function zipError(zip: Uint8Array, limits = PACKAGE_LIMITS): Promise<string> {
  const error: unknown = await readZip(zip, limits).then(
    () => assert.fail("the zip was read"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ConnectError);
  assert.equal(error.code, Code.InvalidArgument);
  return error.rawMessage;
}

describe("A package's zip", () => {
  it("has the shape of the hosted product's", async () => {
    const zip = Buffer.from(await writeZip([textFile(NAME, "text")], TIME));
    assert.deepEqual(
      [...zip.subarray(0, 30)],
      [
        0x50, 0x4b, 3, 4, 20, 0, 0x08, 0x08, 8, 0, 0xc5, 0x63, 0x21, 0x5d, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0,
        0,
      ],
    );
    assert.deepEqual(zip.subarray(38, 38 + deflateRawSync("text").length), deflateRawSync("text"));
  });

  it("is the same bytes for the same files and time", async () => {
    const files = [textFile("a", "1"), textFile("b", "2")];
    assert.deepEqual(await writeZip(files, TIME), await writeZip(files, TIME));
  });

  it("has 1980 for any earlier time", async () => {
    const date = Buffer.from(await writeZip([textFile("a", "")], 0)).readUInt16LE(12);
    assert.equal(date, (0 << 9) | (1 << 5) | 1);
  });

  it("is read back as it was, in its order, with names in any language", async () => {
    const files = [textFile("b/Grüße 😀.txt", "b"), textFile("a.txt", ""), textFile("b/c", "c".repeat(100_000))];
    const read = await readZip(await writeZip(files, TIME));
    assert.deepEqual(
      read.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]),
      files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]),
    );
  });

  it("can have folder entries, as other zip writers make them", async () => {
    const read = await readZip(await writeZip([textFile("agents/", ""), textFile("agents/a", "x")], TIME));
    assert.deepEqual(
      read.map(({ path }) => path),
      ["agents/a"],
    );
  });

  for (const [name, problem] of [
    ["../evil", "leaves the package with '..'"],
    ["a/../../evil", "leaves the package with '..'"],
    ["/etc/passwd", "is an absolute path"],
    ["C:/evil", "starts with a drive letter"],
    ["a\\..\\evil", "has a backslash in its name; parts are separated by '/'"],
    ["a\0.json", "has a NUL character in its name"],
    ["a//b", "has an empty or '.' part in its name"],
    ["./a", "has an empty or '.' part in its name"],
  ] as const) {
    it(`is rejected for an entry ${JSON.stringify(name)}`, async () => {
      assert.equal(await zipError(await renamed(name)), `app_content: Entry ${JSON.stringify(name)} ${problem}.`);
    });
  }

  it("is rejected for a symbolic link", async () => {
    // Written on Unix, with the type "link" in the upper half of the external attributes.
    const zip = Buffer.from(await patched(5, 3));
    zip.writeUInt32LE(0o120777 * 0x10000, zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 38);
    assert.equal(await zipError(zip), `app_content: Entry "${NAME}" is a link or a device, not a file.`);
  });

  it("is rejected for a duplicate entry", async () => {
    const zip = await writeZip([textFile("a", "1"), textFile("a", "2")], TIME);
    assert.equal(await zipError(zip), 'app_content: Entry "a" is in the zip twice.');
  });

  it("is rejected for an entry compressed too far", async () => {
    const zip = await writeZip([textFile("bomb", "0".repeat(4 * 1024 * 1024))], TIME);
    assert.equal(await zipError(zip), 'app_content: Entry "bomb" is compressed more than 200 times.');
  });

  it("is rejected for an entry that grows beyond what it declares", async () => {
    // The directory has a size of 2 bytes, the data have 4.
    assert.match(
      await zipError(await patched(24, 2, 0, 0, 0)),
      /^app_content: Entry "Aa\/x\.txt" is damaged: too many bytes/,
    );
  });

  it("is rejected for a wrong checksum", async () => {
    assert.equal(
      await zipError(await patched(16, 1, 2, 3, 4)),
      `app_content: Entry "${NAME}" is damaged: its checksum does not match.`,
    );
  });

  it("is rejected for an encrypted entry", async () => {
    assert.equal(await zipError(await patched(8, 0x09, 0x08)), `app_content: Entry "${NAME}" is encrypted.`);
  });

  it("is rejected when it is no zip", async () => {
    assert.match(
      await zipError(new TextEncoder().encode("{}")),
      /^app_content: The app content is not a zip archive: /,
    );
  });

  it("is rejected above each limit", async () => {
    const files = [textFile("a", "12345"), textFile("b", "12345")];
    const zip = await writeZip(files, TIME);
    assert.equal(
      await zipError(zip, { ...PACKAGE_LIMITS, archiveBytes: 10 }),
      "app_content: The zip is larger than 10 bytes.",
    );
    assert.equal(
      await zipError(zip, { ...PACKAGE_LIMITS, entries: 1 }),
      "app_content: The zip has 2 entries; a package has at most 1.",
    );
    assert.equal(
      await zipError(zip, { ...PACKAGE_LIMITS, fileBytes: 4 }),
      'app_content: Entry "a" is larger than 4 bytes.',
    );
    assert.equal(
      await zipError(zip, { ...PACKAGE_LIMITS, totalBytes: 9 }),
      "app_content: The zip unpacks to more than 9 bytes.",
    );
  });
});
