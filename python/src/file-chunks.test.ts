import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { contentSize, fileChunks, readContent } from "./file-chunks.ts";

const folder = mkdtempSync(join(tmpdir(), "frontdesk-chunks-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** More than a piece, and a size whose header has a window of its own. */
const CONTENTS = { some: Buffer.alloc(100_000, "some "), much: Buffer.alloc(9_000_001, "much ") };

async function hex(path: string): Promise<string> {
  let text = "";
  for await (const chunk of fileChunks(path)) text += chunk.toString("hex");
  return text;
}

describe("a file in pieces", () => {
  for (const [name, content] of Object.entries(CONTENTS))
    for (const stored of ["as it is", "compressed"])
      it(`has its content and size where it lies ${stored}: ${name}`, async () => {
        const path = join(folder, `${name} ${stored}`);
        if (stored === "compressed") writeFileSync(`${path}.zst`, zstdCompressSync(content));
        else writeFileSync(path, content);
        assert.equal(await contentSize(path), content.length);
        assert.ok(content.equals(await readContent(path)));
        assert.equal(await hex(path), content.toString("hex"));
      });

  it("is refused where there is none, or where it is damaged", async () => {
    await assert.rejects(hex(join(folder, "none")), /ENOENT/);
    await assert.rejects(readContent(join(folder, "none")), /ENOENT/);
    const path = join(folder, "damaged");
    writeFileSync(`${path}.zst`, Buffer.from("no frame of that format"));
    await assert.rejects(hex(path));
    await assert.rejects(contentSize(path), /does not say/);
  });
});
