import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { type ConnectError, fieldViolationsOf } from "#status";
import { textFile } from "../package-files.ts";
import { packFolder, readPackageFolder, unpackToFolder, writePackageFolder } from "./folder.ts";
import { PACKAGE_LIMITS, readZip } from "./read-zip.ts";
import { writeZip } from "./write-zip.ts";

async function temporaryFolder(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-folder-"));
  test.after(() => rm(folder, { recursive: true }));
  return realpath(folder);
}

/** Writes these texts to a folder, by path. */
async function write(folder: string, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** The texts of a package in a folder, by path. */
async function read(folder: string): Promise<Record<string, string>> {
  const { files } = await readPackageFolder(folder);
  return Object.fromEntries(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]));
}

describe("A package in a folder", () => {
  it("is packed whatever the folder is called", async (test) => {
    const folder = join(await temporaryFolder(test), "my\\app");
    await write(folder, { "app.json": "{}" });
    const { zip } = await packFolder(folder, 0);
    assert.deepEqual(
      (await readZip(zip)).map(({ path }) => path),
      ["my-app/app.json"],
    );
  });

  it("is packed under the folder's name, without files that are not part of it", async (test) => {
    const folder = join(await temporaryFolder(test), "my-app");
    await mkdir(join(folder, "agents", "A"), { recursive: true });
    await mkdir(join(folder, "evals"));
    await mkdir(join(folder, ".git"));
    await writeFile(join(folder, "app.json"), "{}");
    await writeFile(join(folder, "README.md"), "x");
    await writeFile(join(folder, ".git", "HEAD"), "x");
    await writeFile(join(folder, "agents", "A", "A.json"), "{ }\r\n");
    await writeFile(join(folder, "agents", "A", ".swp"), "x");
    await symlink("/etc/hostname", join(folder, "agents", "A", ".#lock"));
    await symlink("/etc", join(folder, "etc"));
    const { zip, warnings } = await packFolder(folder, 0);
    const files = await readZip(zip);
    assert.deepEqual(
      files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]),
      [
        ["my-app/agents/A/A.json", "{ }\r\n"],
        ["my-app/app.json", "{}"],
      ],
    );
    assert.deepEqual(warnings, [
      "README.md: is not part of an app package and was ignored.",
      "etc: is not part of an app package and was ignored.",
      "evals/: is not part of an app package and was ignored.",
    ]);
  });

  it("is refused when the app lies in a folder of it, which the refusal names", async (test) => {
    const folder = await temporaryFolder(test);
    await mkdir(join(folder, "app"));
    await writeFile(join(folder, "README.md"), "x");
    await writeFile(join(folder, "app", "app.yaml"), "displayName: Shop");
    const rawMessage = `app_content: ${folder} has no app.json or app.yaml. Give ${join(folder, "app")}, which has app.yaml.`;
    await assert.rejects(packFolder(folder, 0), { rawMessage });
  });

  it("is unpacked without its top folder, over existing files", async (test) => {
    const folder = await temporaryFolder(test);
    await writeFile(join(folder, "app.json"), "old");
    const zip = await writeZip([textFile("Root/app.json", "{}"), textFile("Root/tools/t/t.json", "[]")], 0);
    assert.deepEqual(await unpackToFolder(zip, folder), ["app.json", "tools/t/t.json"]);
    assert.equal(await readFile(join(folder, "app.json"), "utf8"), "{}");
    assert.equal(await readFile(join(folder, "tools/t/t.json"), "utf8"), "[]");
  });

  it("is never written outside its folder", async (test) => {
    const folder = join(await temporaryFolder(test), "inner");
    const files = [textFile("app.json", "{}"), textFile("../evil.txt", "x")];
    await assert.rejects(writePackageFolder(folder, files), /Entry "\.\.\/evil\.txt" leaves the package/);
    await assert.rejects(readFile(join(folder, "app.json")), { code: "ENOENT" });
  });

  it("is read with what its links lead to, inside of it or of its git repository", async (test) => {
    const repository = await temporaryFolder(test);
    await mkdir(join(repository, ".git"));
    const folder = join(repository, "desks", "one");
    await write(repository, {
      "shared/tools/t/t.json": "[]",
      "desks/one/app.json": "{}",
      "desks/one/agents/A/a.txt": "x",
    });
    await symlink("../../shared/tools", join(folder, "tools"));
    await symlink("a.txt", join(folder, "agents", "A", "b.txt"));
    assert.deepEqual(await read(folder), {
      "agents/A/a.txt": "x",
      "agents/A/b.txt": "x",
      "app.json": "{}",
      "tools/t/t.json": "[]",
    });
  });

  it("is refused with every link that leads out of it, to something hidden, to nothing or in a circle", async (test) => {
    const outside = await temporaryFolder(test);
    const folder = join(await temporaryFolder(test), "app");
    await write(outside, { "secret.txt": "secret" });
    await write(folder, { "app.json": "{}", "agents/A/A.json": "{}", ".env": "KEY=1" });
    const links = {
      "agents/A/above": "..",
      "agents/A/env": "../../.env",
      "agents/A/nothing": "absent",
      "agents/A/self": "self",
      "global_instruction.txt": join(outside, "secret.txt"),
      evaluations: outside,
    };
    for (const [path, target] of Object.entries(links)) await symlink(target, join(folder, path));
    await assert.rejects(readPackageFolder(folder), (error: Error) => {
      const refused = fieldViolationsOf(error as ConnectError).map(({ field }) => field);
      assert.deepEqual(refused, Object.keys(links).sort());
      return true;
    });
  });

  it("follows no link into a repository that is not of the package's owner, or that holds the home folder", async (test) => {
    const root = await temporaryFolder(test);
    await write(root, { "app/app.json": "{}", "private.txt": "secret" });
    await mkdir(join(root, ".git"));
    await symlink("../private.txt", join(root, "app", "global_instruction.txt"));
    const { HOME } = process.env;
    try {
      process.env.HOME = root;
      await assert.rejects(
        readPackageFolder(join(root, "app")),
        /global_instruction\.txt: is a link that leads out of/,
      );
    } finally {
      if (HOME === undefined) delete process.env.HOME;
      else process.env.HOME = HOME;
    }
    assert.equal((await read(join(root, "app")))["global_instruction.txt"], "secret");
  });

  it("is refused for what is neither a file nor a folder", { skip: process.platform === "win32" }, async (test) => {
    const folder = await temporaryFolder(test);
    await write(folder, { "app.json": "{}" });
    execFileSync("mkfifo", [join(folder, "evaluations")]);
    const rawMessage = "evaluations: is neither a file nor a folder. Remove it.";
    await assert.rejects(readPackageFolder(folder), { rawMessage });
  });

  it("is refused with both numbers when it has more files than a package can have", async (test) => {
    const folder = await temporaryFolder(test);
    await write(folder, { "app.json": "{}", "tools/a/a.json": "{}", "tools/b/b.json": "{}" });
    const rawMessage = `app_content: ${folder} has 3 files; a package has at most 2.`;
    await assert.rejects(readPackageFolder(folder, { ...PACKAGE_LIMITS, entries: 2 }), { rawMessage });
  });

  it("that cannot be read is an error of the system with its path", async (test) => {
    const folder = join(await temporaryFolder(test), "absent");
    await assert.rejects(readPackageFolder(folder), { code: "ENOENT", path: folder });
  });

  it("is never written through links, and stays as it was", async (test) => {
    const outside = await temporaryFolder(test);
    const folder = await temporaryFolder(test);
    await write(outside, { "app.json": "theirs", "t/t.json": "theirs" });
    await write(folder, { "environment.json": "ours" });
    await symlink(join(outside, "app.json"), join(folder, "app.json"));
    await symlink(outside, join(folder, "tools"));
    const files = ["environment.json", "app.json", "tools/t/t.json"].map((path) => textFile(path, "new"));
    await assert.rejects(writePackageFolder(folder, files), (error: ConnectError) => {
      assert.deepEqual(
        fieldViolationsOf(error).map(({ field }) => field),
        ["app.json", "tools"],
      );
      return true;
    });
    await assert.rejects(writePackageFolder(folder, [], ["tools/t/t.json"]), /tools: is a link/);
    assert.equal(await readFile(join(outside, "app.json"), "utf8"), "theirs");
    assert.equal(await readFile(join(outside, "t/t.json"), "utf8"), "theirs");
    assert.equal(await readFile(join(folder, "environment.json"), "utf8"), "ours");
  });

  it("is written whole, or left as it was", async (test) => {
    const folder = await temporaryFolder(test);
    await write(folder, { "app.json": "old", "tools/gone/gone.json": "old" });
    const files = ["agents/A/A.json", "app.json", "tools/t", "tools/t/t.json"].map((path) => textFile(path, "new"));
    const error = { code: "EEXIST", syscall: "write", path: join(folder, "tools/t/t.json") };
    await assert.rejects(writePackageFolder(folder, files, ["tools/gone/gone.json"]), error);
    assert.deepEqual(await read(folder), { "app.json": "old", "tools/gone/gone.json": "old" });
    assert.deepEqual((await readdir(folder)).sort(), ["app.json", "tools"]);
  });

  it("keeps the permissions of its files, and loses the folders that have nothing left", async (test) => {
    const folder = await temporaryFolder(test);
    await write(folder, { "app.json": "old", "tools/gone/gone.json": "old" });
    await chmod(join(folder, "app.json"), 0o640);
    await writePackageFolder(folder, [textFile("app.json", "new")], ["tools/gone/gone.json"]);
    assert.deepEqual(await readdir(folder), ["app.json"]);
    assert.equal((await stat(join(folder, "app.json"))).mode & 0o777, 0o640);
  });
});
