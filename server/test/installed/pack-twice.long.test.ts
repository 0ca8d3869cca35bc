// Who packs the same content gets the same bytes, wherever it lies and whoever owns it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { after, before, describe, it } from "node:test";

const ROOT = resolve(import.meta.dirname, "../../..");

/** Places of different length, files of different age, days of different date, and packers who keep new files from others or do not. */
const CLONES = [
  { path: "a", env: { TZ: "Pacific/Honolulu", LANG: "C" }, umask: 0o022, changed: new Date("2020-01-01") },
  {
    path: join("a second", "and much longer", "place"),
    env: { TZ: "Pacific/Kiritimati", LANG: "de_DE.UTF-8" },
    umask: 0o077,
    changed: new Date("2026-06-01"),
  },
];
type Clone = (typeof CLONES)[number];

/** What was packed: the hash of each tarball, and hash and mode of each file in it. */
interface Packed {
  readonly tarballs: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

describe("packing", () => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-twice-"));
  let packed: readonly Packed[];
  before(() => {
    // Both before either is packed: somebody may work in this checkout meanwhile.
    const made = CLONES.map((clone) => ({ ...clone, place: makeClone(folder, clone) }));
    packed = made.map((clone) => pack(clone.place, clone));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("puts the same files into packages in two clones", () => {
    assert.ok(Object.keys(packed[0]?.files ?? {}).length > 1_000);
    const differing = Object.keys({ ...packed[0]?.files, ...packed[1]?.files }).filter(
      (name) => packed[0]?.files[name] !== packed[1]?.files[name],
    );
    assert.deepEqual(differing, []);
  });

  it("makes the same bytes of each tarball", () => {
    assert.equal(Object.keys(packed[0]?.tarballs ?? {}).length, 4);
    assert.deepEqual(packed[1]?.tarballs, packed[0]?.tarballs);
  });
});

/** The files of this checkout that are published, and its packages. What is generated from them is made anew. Returns its folder. */
function makeClone(folder: string, { path, changed }: Clone): string {
  const clone = join(folder, path);
  mkdirSync(clone, { recursive: true });
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
  for (const file of listed
    .toString()
    .split("\0")
    .filter((name) => name && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(ROOT, file), join(clone, file));
    utimesSync(join(clone, file), changed, changed);
  }
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { workspaces: string[] };
  for (const place of ["", ...workspaces].filter((place) => existsSync(join(ROOT, place, "node_modules"))))
    execFileSync("cp", ["-a", "--link", join(ROOT, place, "node_modules"), join(clone, place, "node_modules")]);
  return clone;
}

function pack(clone: string, { env, umask }: Clone): Packed {
  const before = process.umask(umask);
  try {
    execFileSync(process.execPath, ["scripts/launch.mjs", "pack", "packed"], {
      cwd: clone,
      env: { ...process.env, ...env, INIT_CWD: clone },
      stdio: ["ignore", "ignore", "inherit"],
    });
  } finally {
    process.umask(before);
  }
  const out = join(clone, "packed");
  const tarballs = readdirSync(out).sort();
  return {
    tarballs: Object.fromEntries(tarballs.map((name) => [name, hashOf(join(out, name))])),
    files: Object.fromEntries(tarballs.flatMap((name) => filesIn(join(out, name)))),
  };
}

function filesIn(tarball: string): readonly (readonly [string, string])[] {
  const folder = tarball.replace(/\.tgz$/, "");
  mkdirSync(folder);
  execFileSync("tar", ["-xpf", tarball, "-C", folder]);
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [
      relative(dirname(folder), path),
      `${hashOf(path)} ${(statSync(path).mode & 0o777).toString(8)} ${statSync(path).mtimeMs}`,
    ]);
}

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
