import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { MAY_IMPORT } from "./arrows.ts";

const SRC = join(dirname(dirname(fileURLToPath(import.meta.url))), "src");
const PYTHON = join(SRC, "..", "..", "python", "src");

interface ImportLine {
  readonly file: string;
  readonly room: string;
  readonly target: string;
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : entry.name.endsWith(".ts") ? [path] : [];
  });
}

function imports(root = SRC): ImportLine[] {
  return sources(root).flatMap((path) => {
    const file = relative(root, path).split(sep).join("/");
    const text = readFileSync(path, "utf8");
    const targets = [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)"([^"\n]+)"/g)].map((match) => match[1] ?? "");
    return targets.map((target) => ({ file, room: file.split("/")[0] ?? "", target }));
  });
}

describe("the plan of the house", () => {
  const lines = imports();

  it("has a row for every room", () => {
    const rooms = readdirSync(SRC).filter((name) => !name.includes("."));
    assert.deepEqual(
      rooms.filter((room) => !(room in MAY_IMPORT)),
      [],
    );
  });

  it("lets a room open only the doors of its row", () => {
    const stray = lines.filter(({ file, room, target }) => {
      if (!target.startsWith("#")) return false;
      const door = target.slice(1);
      const byTest = file.endsWith(".test.ts") || file.includes("/testing/");
      return door !== room && !MAY_IMPORT[room]?.includes(door) && !byTest;
    });
    assert.deepEqual(stray, []);
  });

  it("keeps relative imports inside their room", () => {
    const stray = lines.filter(({ file, room, target }) => {
      if (!target.startsWith(".")) return false;
      const landed = relative(SRC, resolve(SRC, dirname(file), target)).split(sep)[0];
      return landed !== room;
    });
    assert.deepEqual(stray, []);
  });

  it("lets only tests import the testing room", () => {
    const stray = lines.filter(
      ({ file, room, target }) => target === "#testing" && room !== "testing" && !file.endsWith(".test.ts"),
    );
    assert.deepEqual(stray, []);
  });

  it("lets only the room sandbox import sealed Python", () => {
    const stray = lines.filter(
      ({ room, target }) => target.startsWith("@frontdesk/sealed-python") && room !== "sandbox",
    );
    assert.deepEqual(stray, []);
  });

  it("keeps sealed Python free of the server", () => {
    const own = /^(?:node:|\.|lru-cache$)/;
    const stray = imports(PYTHON).filter(({ target }) => !own.test(target));
    assert.deepEqual(stray, []);
  });

  it("reads the environment in app/config.ts alone, and for commands that load no server in cli/server-address.ts", () => {
    const readers = sources(SRC)
      .filter((path) => /\bprocess\.env\b/.test(readFileSync(path, "utf8")) && !path.endsWith(".test.ts"))
      .map((path) => relative(SRC, path).split(sep).join("/"));
    assert.deepEqual(readers.sort(), ["app/config.ts", "cli/server-address.ts"]);
  });
});
