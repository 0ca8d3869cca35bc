import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { startTestServer } from "#testing";
import { configurationKeys, configurationMeanings } from "../reference/configuration-pages.ts";
import { TEXTS } from "../reference/configuration-texts.ts";
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

  it("gives each key of the configuration file a meaning of its own", () => {
    const meanings = configurationMeanings();
    const without = [...meanings].filter(([, { meaning }]) => meaning.length < 5).map(([key]) => key);
    assert.deepEqual(without, []);
    const alike = [...Map.groupBy(meanings.keys(), (key) => meanings.get(key)?.meaning)].filter(
      ([, keys]) => keys.length > 1,
    );
    assert.deepEqual(alike, []);
    assert.deepEqual(
      Object.keys(TEXTS).filter((key) => !meanings.has(key)),
      [],
    );
  });

  it("takes meanings, defaults and values of a key from its own row, and the variants of a section together", () => {
    const meanings = configurationMeanings();
    const types = new Map(configurationKeys().map(({ key, type }) => [key, type]));
    assert.match(meanings.get("sandbox.host")?.meaning ?? "", /^isolation backend/);
    assert.match(meanings.get("audit.record")?.meaning ?? "", /^which calls the \[audit log\]/);
    assert.match(meanings.get("record")?.meaning ?? "", /^folder in which sessions/);
    const fallbacks = ["breaker.failures", "breaker.openMs", "providers.<name>.vertex.location"];
    assert.deepEqual(
      fallbacks.map((key) => meanings.get(`models.${key}`)?.fallback),
      ["5", "10,000", "`global`"],
    );
    assert.equal(types.get("models.providers.<name>.type"), "`gemini`, `openai`, `anthropic`, `ai-sdk`");
    assert.equal(types.get("speech.listen.type"), "`google`, `openai`, `deepgram`");
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
