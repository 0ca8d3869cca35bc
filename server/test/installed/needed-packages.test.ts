import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, it } from "node:test";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const { CONSOLE_SOURCES } = await import(join(ROOT, "scripts", "launch", "console-sources.mjs"));
const { neededPackages } = await import(join(ROOT, "scripts", "launch", "needed-packages.mjs"));

describe("the packages that workspaces need", () => {
  it("are found as Node finds them: beside, then above; through links; without those for development", () => {
    const locked = {
      "": { devDependencies: { linter: "1" }, optionalDependencies: { runtime: "1" } },
      server: { dependencies: { a: "1", shared: "*" }, devDependencies: { tester: "1" } },
      shared: { dependencies: { b: "2" } },
      "node_modules/shared": { link: true, resolved: "shared" },
      "shared/node_modules/b": { version: "2" },
      "node_modules/a": { dependencies: { b: "1" }, peerDependencies: { c: "1", absent: "1" } },
      "node_modules/a/node_modules/b": { dependencies: { c: "1" } },
      "node_modules/b": {},
      "node_modules/c": {},
      "node_modules/linter": {},
      "node_modules/runtime": {},
      "node_modules/tester": {},
    };
    const ofServer = ["node_modules/a", "node_modules/a/node_modules/b", "node_modules/c", "node_modules/shared"];
    assert.deepEqual(neededPackages(locked, ["server"]).sort(), [...ofServer, "shared/node_modules/b"]);
    assert.deepEqual(neededPackages(locked, [""]), ["node_modules/runtime"]);
  });

  it("of a server are none that only tests, generation or the console's builder use", () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
    const needed = neededPackages(packages, ["server", "python"]);
    const builders = ["googleapis", "google-proto-files", "protoc", "vite", "react", "@biomejs/biome"];
    assert.deepEqual(
      builders.filter((name) => needed.includes(`node_modules/${name}`)),
      [],
    );
    assert.ok(needed.includes("node_modules/undici") && needed.includes("node_modules/pyodide"));
  });
});

describe("the sources of the console", () => {
  it("are all that it imports of the server: it is built from a copy of them, and anew when one changes", () => {
    const imports = sourceFiles(join(ROOT, "console", "src")).flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type).*from "(\.[^"?]+)/gm)].map(([, path]) =>
        relative(ROOT, join(dirname(file), path ?? "")),
      ),
    );
    const shared = imports.filter((path) => !path.startsWith("console"));
    assert.ok(shared.length > 0);
    const isSource = (path: string) =>
      CONSOLE_SOURCES.some((source: string) => path === source || path.startsWith(`${source}/`));
    assert.deepEqual(
      shared.filter((path) => !isSource(path)),
      [],
    );
  });
});

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => /\.tsx?$/.test(path));
}
