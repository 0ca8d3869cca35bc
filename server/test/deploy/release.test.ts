import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { parse } from "yaml";

const ROOT = resolve(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const { DOCUMENTS, dateRelease, namingVersion, notesOf, versionsOf } = await import(
  join(ROOT, "scripts", "release", "texts.mjs")
);

const CHANGELOG = "# Changelog\n\n## 0.2.0 (unreleased)\n\n- New\n\n## 0.1.0 (2026-11-23)\n\n- Old\n";

describe("a release", () => {
  it("dates the changelog's heading of its version, and no other", () => {
    const dated = dateRelease(CHANGELOG, "0.2.0", "2026-12-01");
    assert.equal(dated, CHANGELOG.replace("unreleased", "2026-12-01"));
    assert.throws(() => dateRelease(CHANGELOG, "0.1.0", "2026-12-01"), /no heading '## 0\.1\.0 \(unreleased\)'/);
  });

  it("is described by its section of the changelog", () => {
    assert.equal(notesOf(CHANGELOG, "0.2.0"), "- New");
    assert.equal(notesOf(CHANGELOG, "0.1.0"), "- Old");
    assert.throws(() => notesOf(CHANGELOG, "0.3.0"), /says nothing of 0\.3\.0/);
  });

  it("is named in documents by its version, and other versions of theirs stay", () => {
    const text =
      "npm install ./frontdesk-server-0.1.0.tgz ./other-0.1.0.tgz\nuses: desk/deploy/action@v0.1.0\nuses: other@v0.1.0\n";
    assert.equal(
      namingVersion(text, "0.2.0"),
      "npm install ./frontdesk-server-0.2.0.tgz ./other-0.1.0.tgz\nuses: desk/deploy/action@v0.2.0\nuses: other@v0.1.0\n",
    );
  });

  it("has one version in every package, the chart, the action and the documentation", () => {
    const { version, workspaces } = JSON.parse(read("package.json"));
    const manifests = Object.fromEntries(
      ["", ...workspaces].map((name: string) => [name, read(join(name, "package.json"))]),
    );
    const chart = read("deploy/helm/frontdesk/Chart.yaml");
    const documents = Object.fromEntries(DOCUMENTS.map((path: string) => [path, read(path)]));
    const found = versionsOf({ manifests, chart, documents });
    assert.ok(Object.keys(found).length > 12);
    assert.deepEqual(new Set(Object.values(found)), new Set([version]), JSON.stringify(found));
  });
});

describe("the Node of this project", () => {
  it("is one version, in the packages that bring it, the image and the development container", () => {
    const { optionalDependencies } = JSON.parse(read("package.json")) as {
      readonly optionalDependencies: Readonly<Record<string, string>>;
    };
    const brought = Object.entries(optionalDependencies).filter(([name]) => name.startsWith("node-"));
    const images = ["deploy/Containerfile", ".devcontainer/devcontainer.json"].map((path) => {
      const [, version] = /\bnode:(\d+\.\d+\.\d+)-/.exec(read(path)) ?? [];
      return [path, version] as const;
    });
    assert.equal(new Set([...brought, ...images].map(([, version]) => version)).size, 1, JSON.stringify(images));
  });

  it("is of the major version that the workflows set up for what is published", () => {
    const [, major] = /\bnode:(\d+)\./.exec(read("deploy/Containerfile")) ?? [];
    const set = [...read(".github/workflows/release.yml").matchAll(/node-version: (\S+)/g)].map(([, given]) => given);
    assert.ok(set.length > 0);
    assert.deepEqual(new Set(set), new Set([`${major}.x`]));
  });
});

describe("the development container", () => {
  it("is made ready by a script of package.json, and shows the port that the server has", () => {
    const { postCreateCommand, forwardPorts, remoteUser } = JSON.parse(read(".devcontainer/devcontainer.json"));
    const { scripts } = JSON.parse(read("package.json"));
    const [, script = ""] = /^npm run ([\w:-]+)$/.exec(postCreateCommand) ?? [];
    assert.ok(script in scripts, postCreateCommand);
    assert.match(read("deploy/Containerfile"), new RegExp(`^EXPOSE ${forwardPorts[0]}$`, "m"));
    assert.notEqual(remoteUser, "root");
  });
});

describe("the workflows and the action", () => {
  const workflows = readdirSync(join(ROOT, ".github", "workflows")).map((name) => `.github/workflows/${name}`);

  for (const path of [...workflows, "deploy/action/action.yml"])
    it(`name the actions of others by commit: ${path}`, () => {
      const text = read(path);
      assert.doesNotThrow(() => parse(text));
      const loose = [...text.matchAll(/^\s*-? *uses: (.*)$/gm)].map(([, uses = ""]) => uses);
      assert.ok(loose.length > 0);
      assert.deepEqual(
        loose.filter((uses) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(uses)),
        [],
      );
    });

  it("publish files, which npm takes for repositories when their path begins with a word", () => {
    const published = [...read(".github/workflows/release.yml").matchAll(/npm publish "?(\S+)/g)].map(
      ([, what]) => what,
    );
    assert.ok(published.length > 0);
    assert.deepEqual(
      published.filter((what = "") => !what.startsWith("./")),
      [],
    );
  });

  it("install nothing from a registry by a name that nobody has published", () => {
    const { inputs } = parse(read("deploy/action/action.yml"));
    assert.equal(inputs.package.default, "");
  });

  it("run only scripts that package.json has", () => {
    const { scripts } = JSON.parse(read("package.json"));
    const named = workflows.flatMap((path) => [...read(path).matchAll(/npm run (?:--silent )?([\w:-]+)/g)]);
    assert.ok(named.length > 3);
    for (const [, name = ""] of named) assert.ok(name in scripts, name);
  });
});
