import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { startTestServer } from "#testing";
import { configurationKeys } from "../reference/configuration-pages.ts";
import { makeReference, type ReferenceGroup } from "../reference/reference.ts";
import { COMMANDS } from "../src/cli/commands.ts";

describe("the reference of the documentation", () => {
  let groups: readonly ReferenceGroup[];
  before(async () => {
    groups = await makeReference();
  });

  const pagesIn = (title: string) => groups.find((group) => group.title === title)?.pages ?? [];

  it("describes each registered method with what asks for it and its fields", async () => {
    await using server = await startTestServer();
    const pages = pagesIn("REST and gRPC");
    for (const { method, internalMethod } of server.app.registry.methods) {
      const service = `\`${internalMethod.parent.typeName}/${internalMethod.name}\``;
      const page =
        pages.find(({ text }) => text.includes(service)) ?? assert.fail(`${method.parent.typeName}.${method.name}`);
      assert.match(page.text, new RegExp(`^## ${internalMethod.name}$`, "m"));
      for (const field of internalMethod.input.fields)
        assert.ok(page.text.includes(`| \`${field.jsonName}\` |`), service);
    }
  });

  it("links from fields to types that it describes", () => {
    const pages = new Map(groups.flatMap(({ pages: own }) => own.map((page) => [page.path, page.text])));
    for (const { path, text } of pagesIn("REST and gRPC"))
      for (const [link, target = "", anchor = ""] of text.matchAll(/\]\(((?!https?:)[^)#]*)#([\w-]+)\)/g)) {
        const to = target === "" ? text : pages.get(target.replace(/^(\.\.\/)+/, "").replace(/\.md$/, ""));
        const headings = [...(to ?? "").matchAll(/^## (.+)$/gm)].map(([, name = ""]) =>
          name.toLowerCase().replaceAll(".", ""),
        );
        assert.ok(headings.includes(anchor), `${path}: ${link}`);
      }
  });

  it("has a page for each command, with its flags, examples and exit codes", () => {
    const pages = new Map(pagesIn("Command line").map(({ title, text }) => [title, text]));
    for (const { name, flags, examples } of COMMANDS) {
      const text = pages.get(name) ?? assert.fail(name);
      for (const flag of flags) assert.ok(text.includes(`\`--${flag.name}`), `${name} --${flag.name}`);
      for (const example of examples) assert.ok(text.includes(`frontdesk ${example}`), example);
      assert.match(text, /^\| 0 \| done \|$/m);
    }
  });

  it("has a row for each key of the configuration file", () => {
    const text = pagesIn("Configuration keys")
      .map((page) => page.text)
      .join("\n");
    const keys = configurationKeys().map(({ key }) => key);
    assert.ok(
      keys.length > 150 && keys.includes("quotas.limits[].per") && keys.includes("models.providers.<name>.type"),
    );
    for (const key of keys) assert.ok(text.includes(`| \`${key}\` |`), key);
  });

  it("has a page for each tool, class and code", () => {
    const titles = (title: string) => pagesIn(title).map((page) => page.title);
    assert.ok(titles("MCP tools").includes("run_session") && titles("MCP tools").includes("query_data"));
    assert.ok(titles("Python classes").includes("CallbackContext") && titles("Python classes").includes("Part"));
    assert.equal(titles("Errors by code").length, 13);
  });

  it("writes no markup of pages and gives no page twice", () => {
    const pages = groups.flatMap((group) => [group.index, ...group.pages]);
    assert.deepEqual(pages.map(({ path }) => path).toSorted(), [...new Set(pages.map(({ path }) => path))].toSorted());
    for (const { path, text } of pages)
      assert.doesNotMatch(text.replace(/```.*?```|`[^`\n]*`/gs, ""), /<\w|\{\{/, path);
  });
});
