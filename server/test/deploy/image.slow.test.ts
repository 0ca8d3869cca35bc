import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { gunzipSync, zstdDecompressSync } from "node:zlib";

const SCRIPT = resolve(import.meta.dirname, "../../../deploy/image/root-folder.mjs");
const DENO = resolve(import.meta.dirname, `../../../node_modules/@deno/linux-${process.arch}-glibc/deno`);

const skip =
  !existsSync("/usr/bin/dash") || !existsSync("/usr/sbin/chroot")
    ? "not a Debian system"
    : process.getuid?.() !== 0
      ? "only root may change the root folder"
      : !existsSync(DENO)
        ? "no Deno for this machine"
        : false;

const MODULES = resolve(import.meta.dirname, "../../../node_modules");
const INSTALLED = "/opt/frontdesk/node_modules";

/** Packages that are native code: C++ and Rust. */
const NATIVE_CODE = ["@duckdb/node-api", "@resvg/resvg-js"];
const withoutNativeCode = NATIVE_CODE.every((name) => existsSync(join(MODULES, name)))
  ? false
  : "no native code for this machine";

/** The image of Python as the package has it. */
const PYTHON_IMAGE = "node_modules/@frontdesk/server/python-image/python-1";
const MEMORY = Buffer.alloc(100_000, "memory");
const LICENCES = "zod 4.0.0\nLicence: MIT\n";

/** A program with errors of native code: exceptions of C++ that are caught there, in this thread and in another. */
const NATIVE_ERRORS = `
const { Worker, isMainThread, workerData } = require("node:worker_threads");
const [duckdb, chart] = isMainThread ? process.argv.slice(2) : workerData;
async function fail() {
  const { DuckDBInstance } = require(duckdb);
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run("SELECT 'x'::INTEGER").catch((error) => console.log(error.message.split("\\n")[0]));
  try { new (require(chart).Resvg)("<no picture"); } catch (error) { console.log("no picture"); }
}
fail().then(() => isMainThread && new Worker(process.argv[1], { workerData: [duckdb, chart] }));
`;

describe("the packages of the image", () => {
  it("are complete, or the build ends with the names of those that npm has left out", () => {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-image-"));
    const check = () =>
      spawnSync(process.execPath, [join(SCRIPT, "../check-packages.mjs"), folder, "arm64"], { encoding: "utf8" });
    try {
      for (const name of ["@deno/linux-arm64-glibc", "@resvg/resvg-js-linux-arm64-gnu"])
        mkdirSync(join(folder, "node_modules", name), { recursive: true });
      const { status, stderr } = check();
      assert.deepEqual(
        [status, stderr],
        [1, "npm has left out @duckdb/node-bindings-linux-arm64: not in the registry, or not to be reached.\n"],
      );
      mkdirSync(join(folder, "node_modules/@duckdb/node-bindings-linux-arm64"), { recursive: true });
      assert.equal(check().status, 0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the root folder of the image", { skip }, () => {
  let folder: string;
  let root: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "frontdesk-image-"));
    root = join(folder, "root");
    const installed = join(folder, "installed/node_modules/deno");
    mkdirSync(installed, { recursive: true });
    cpSync(DENO, join(installed, "deno"));
    if (!withoutNativeCode)
      for (const scope of ["@duckdb", "@resvg"])
        cpSync(join(MODULES, scope), join(folder, "installed/node_modules", scope), { recursive: true });
    const packed = join(folder, "installed", PYTHON_IMAGE);
    mkdirSync(packed, { recursive: true });
    writeFileSync(join(packed, "image.bin"), MEMORY);
    writeFileSync(join(packed, "../../THIRD-PARTY.txt"), LICENCES);
    const { status, stderr } = spawnSync(
      process.execPath,
      [SCRIPT, "/", process.execPath, join(folder, "installed"), root],
      { encoding: "utf8" },
    );
    assert.equal(status, 0, stderr);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** What a program prints that sees nothing but the folder, and looks up all of its symbols at once. */
  function inRoot(...command: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync("/usr/sbin/chroot", ["--userspec=10001:10001", root, ...command], {
      encoding: "utf8",
      env: { PATH: "/usr/local/bin:/usr/bin", LD_BIND_NOW: "1" },
    });
    assert.equal(status, 0, stderr);
    return stdout.trim();
  }

  it("has Node and Deno with all that they need", () => {
    assert.equal(inRoot("/usr/local/bin/node", "-p", "process.versions.node"), process.versions.node);
    assert.match(inRoot("/opt/frontdesk/node_modules/deno/deno", "--version"), /^deno \d/);
  });

  it("has Python compressed, as the sandbox reads it", () => {
    const place = join(root, "opt/frontdesk", PYTHON_IMAGE);
    assert.deepEqual(readdirSync(place), ["image.bin.zst"]);
    assert.ok(MEMORY.equals(zstdDecompressSync(readFileSync(join(place, "image.bin.zst")))));
  });

  it("has licences, in the format of Debian's", () => {
    const place = join(root, "opt/frontdesk/node_modules/@frontdesk/server/THIRD-PARTY.txt.gz");
    assert.equal(gunzipSync(readFileSync(place)).toString(), LICENCES);
  });

  it("has a Node that runs native code, its errors included", { skip: withoutNativeCode }, () => {
    writeFileSync(join(root, "native-errors.cjs"), NATIVE_ERRORS);
    const packages = NATIVE_CODE.map((name) => `${INSTALLED}/${name}`);
    const stdout = `${inRoot("/usr/local/bin/node", "/native-errors.cjs", ...packages)}\n`;
    const once = /^(?:Failed|Conversion Error|Invalid)[^\n]*'x'[^\n]*\nno picture\n/;
    assert.match(stdout, once);
    assert.match(stdout.replace(once, ""), once);
  });

  it("has a shell, for limits of memory", () => {
    assert.equal(inRoot("/usr/bin/sh", "-c", "ulimit -d 1000; ulimit -d"), "1000");
  });

  it("has no other program, and of Node only what is loaded", () => {
    assert.deepEqual(readdirSync(join(root, "usr/bin")).sort(), ["frontdesk", "sh"]);
    assert.deepEqual(readdirSync(join(root, "usr/local/bin")), ["node"]);
    assert.deepEqual(readdirSync(join(root, "usr/sbin")), []);
    const [copied, whole] = [join(root, "usr/local/bin/node"), process.execPath].map((file) => statSync(file).size);
    assert.ok(copied !== undefined && whole !== undefined && copied < whole * 0.95, `${copied} of ${whole} bytes`);
  });

  it("has no symbols of a library that nothing there asks for", { skip: withoutNativeCode }, () => {
    const library = `@duckdb/node-bindings-linux-${process.arch}/libduckdb.so`;
    const content = readFileSync(join(root, INSTALLED, library), "latin1");
    const symbol = "_ZN6duckdb10ConnectionC1ERNS_6DuckDBE";
    assert.ok(readFileSync(join(MODULES, library), "latin1").includes(`\0${symbol}\0`));
    assert.ok(!content.includes(`\0${symbol}\0`));
    assert.ok(content.includes("\0duckdb_open_ext\0"));
  });
});
