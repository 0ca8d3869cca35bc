import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { textFile } from "../package-files.ts";
import { packFolder, unpackToFolder, writePackageFolder } from "./folder.ts";
import { readZip } from "./read-zip.ts";
import { writeZip } from "./write-zip.ts";

async function temporaryFolder(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-folder-"));
  test.after(() => rm(folder, { recursive: true }));
  return folder;
}

describe("A package in a folder", () => {
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
    await symlink("/etc/hostname", join(folder, "agents", "A", "link.txt"));
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
      "agents/A/link.txt: is neither a file nor a folder and was ignored.",
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
});
