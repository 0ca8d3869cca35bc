import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

const ROOT = join(import.meta.dirname, "..", "..", "..");
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
