import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ROOT } from "./documented-commands.ts";
import { fileOf, IMAGES, SHOTS, THEMES, WINDOW } from "./screenshots.ts";

/** Where a PNG has its width and height, each of four bytes. */
const SIZE_AT = 16;

describe("the pictures of the documentation", () => {
  it("are those that `npm run docs:screenshots` makes, in both themes", () => {
    const made = SHOTS.flatMap(({ name }) => THEMES.map((theme) => fileOf(name, theme)));
    assert.deepEqual(readdirSync(IMAGES).sort(), made.sort());
  });

  it("have the size of its window", () => {
    for (const name of readdirSync(IMAGES)) {
      const bytes = readFileSync(join(IMAGES, name));
      assert.deepEqual([bytes.readUInt32BE(SIZE_AT), bytes.readUInt32BE(SIZE_AT + 4)], [WINDOW.width, WINDOW.height]);
    }
  });

  it("are each shown by a page", () => {
    const pages = ["README.md", ...globSync("docs/**/*.md", { cwd: ROOT })];
    const text = pages.map((page) => readFileSync(join(ROOT, page), "utf8")).join("\n");
    const hidden = SHOTS.filter(({ name }) => !text.includes(`images/${fileOf(name, "light")})`));
    assert.deepEqual(hidden, []);
  });
});
