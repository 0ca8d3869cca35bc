import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { MAY_IMPORT } from "./arrows.ts";
import { circlesOf } from "./circles.ts";

const SRC = join(dirname(dirname(fileURLToPath(import.meta.url))), "src");
const ROOT = join(SRC, "..", "..");
const PYTHON = join(ROOT, "python", "src");
const CONSOLE = join(ROOT, "console", "src");

/** Most files of a circle of imports. */
const MAX_CIRCLE = 5;
/** Most lines of a function. The linter counts fewer, because it leaves out what is nested. */
const MAX_FUNCTION = 80;

interface ImportLine {
  readonly file: string;
  readonly room: string;
  readonly target: string;
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : /\.tsx?$/.test(entry.name) ? [path] : [];
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

/** The imports between the files of the three workspaces, by path from the root. Tests are left out. */
function importGraph(): Map<string, readonly string[]> {
  const graph = new Map<string, readonly string[]>();
  for (const root of [SRC, PYTHON, CONSOLE]) {
    const prefix = relative(ROOT, root).split(sep).join("/");
    for (const path of sources(root)) if (!/\.test\.tsx?$/.test(path)) graph.set(fromRoot(path), []);
    for (const { file, target } of imports(root)) {
      const from = `${prefix}/${file}`;
      const to = target.startsWith("#")
        ? `server/src/${target.slice(1)}/index.ts`
        : fromRoot(resolve(ROOT, dirname(from), target));
      const targets = graph.get(from);
      if (targets && graph.has(to)) graph.set(from, [...targets, to]);
    }
  }
  return graph;
}

/** The functions at the top of a file that are too long, as `path:line (lines)`. The formatter ends each with a line of one brace. */
function longFunctions(path: string): readonly string[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line, at) => {
    if (!/^(?:export )?(?:async )?function\b/.test(line)) return [];
    const length = lines.slice(at).indexOf("}") + 1;
    return length > MAX_FUNCTION ? [`${fromRoot(path)}:${at + 1} (${length})`] : [];
  });
}

function fromRoot(path: string): string {
  return relative(ROOT, path).split(sep).join("/");
}

describe("the structure of the repository", () => {
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

  it("lets only the room sandbox import sealed Python, and base its JSON, so that both write values alike", () => {
    const stray = lines.filter(({ room, target }) => {
      if (!target.startsWith("@frontdesk/sealed-python") || room === "sandbox") return false;
      return room !== "base" || target !== "@frontdesk/sealed-python/json";
    });
    assert.deepEqual(stray, []);
  });

  it("keeps sealed Python free of the server", () => {
    const own = /^(?:node:|\.|lru-cache$)/;
    const stray = imports(PYTHON).filter(({ target }) => !own.test(target));
    assert.deepEqual(stray, []);
  });

  it("reads the environment in app/config.ts alone, and for commands that load no server in cli/server/server-address.ts", () => {
    const readers = sources(SRC)
      .filter((path) => /\bprocess\.env\b/.test(readFileSync(path, "utf8")) && !path.endsWith(".test.ts"))
      .map((path) => relative(SRC, path).split(sep).join("/"));
    assert.deepEqual(readers.sort(), ["app/config.ts", "cli/server/server-address.ts"]);
  });

  it(`has no function of more than ${MAX_FUNCTION} lines`, () => {
    const files = [SRC, PYTHON, CONSOLE].flatMap(sources).filter((path) => !/\.test\.tsx?$/.test(path));
    assert.deepEqual(files.flatMap(longFunctions), []);
  });

  it(`has no circle of imports over ${MAX_CIRCLE} files, type imports included`, () => {
    const tooLarge = circlesOf(importGraph()).filter((circle) => circle.length > MAX_CIRCLE);
    const advice =
      "These files import one another in a circle, so nobody can read or test one alone. " +
      "Move the types that they share to a file that imports none of them, or pass the function that closes the circle as an argument.";
    assert.deepEqual(tooLarge, [], advice);
  });
});
