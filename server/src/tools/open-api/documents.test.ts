import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stringify } from "yaml";
import { createOpenApiDocuments } from "./documents.ts";

const documentOf = (path: string, description = "") => ({
  openapi: "3.0.3",
  info: { description },
  paths: { [path]: { get: { operationId: "get" } } },
});
const owner = (openApiSchema: string) => ({ openApiSchema });

describe("an OpenAPI document", () => {
  it("is parsed once for all messages with its text", async () => {
    const documents = createOpenApiDocuments();
    const text = (path: string) => JSON.stringify(documentOf(path));
    const first = await documents.read(owner(text("/a")));
    assert.equal(await documents.read(owner(text("/a"))), first);
    assert.notEqual(await documents.read(owner(text("/b"))), first);
    const [operation] = first.kind === "document" ? first.operations : [];
    assert.equal(operation?.read(), operation?.read());
  });

  it("is the same in YAML, also when the worker thread parses it", async () => {
    const documents = createOpenApiDocuments();
    for (const description of ["short", "long ".repeat(10_000)]) {
      const whole = documentOf("/a", description);
      const read = await documents.read(owner(stringify(whole)));
      assert.deepEqual(read.kind === "document" && read.root, whole);
    }
  });

  it("reports where long YAML is invalid, and parses the next one", async () => {
    const documents = createOpenApiDocuments();
    const long = `# ${"x".repeat(20_000)}\n`;
    const broken = documents.read(owner(`${long}openapi: 3.1.0\npaths: [\n`));
    const sound = documents.read(owner(`${long}${stringify(documentOf("/a"))}`));
    const { problem } = (await broken) as { readonly problem: string };
    assert.match(problem, /^the schema is neither JSON nor YAML \(line \d+, column \d+\): /);
    assert.equal((await sound).kind, "document");
  });

  it("with exploding aliases is rejected by the worker thread", async () => {
    const levels = Array.from({ length: 12 }, (_, at) => `l${at + 1}: &l${at + 1} [${`*l${at}, `.repeat(20)}]`);
    const bomb = `# ${"x".repeat(20_000)}\nl0: &l0 [x]\n${levels.join("\n")}\n`;
    const read = await createOpenApiDocuments().read(owner(bomb));
    assert.equal(read.kind, "unreadable");
  });

  it("has what merge keys bring into a map of YAML", async () => {
    for (const comment of ["", `# ${"x".repeat(20_000)}\n`]) {
      const text = `${comment}openapi: 3.1.0\nx-base: &base {get: {operationId: get, summary: one}}\npaths:\n  /a:\n    <<: *base\n`;
      const read = await createOpenApiDocuments().read(owner(text));
      assert(read.kind === "document");
      assert.deepEqual(read.root.paths, { "/a": { get: { operationId: "get", summary: "one" } } });
      assert.deepEqual(
        read.operations.map(({ id }) => id),
        ["get"],
      );
    }
  });

  it("has what an alias stands for at each place of long YAML", async () => {
    const text = `# ${"x".repeat(20_000)}\nopenapi: 3.1.0\nx-a: &a {b: [1, 0.5, null]}\nx-c: *a\npaths: {}\n`;
    const read = await createOpenApiDocuments().read(owner(text));
    assert(read.kind === "document");
    assert.deepEqual(read.root, {
      openapi: "3.1.0",
      "x-a": { b: [1, 0.5, null] },
      "x-c": { b: [1, 0.5, null] },
      paths: {},
    });
  });

  it("is refused when it has too many objects, or an alias within what it stands for", async () => {
    const documents = createOpenApiDocuments();
    const many = await documents.read(owner(`{"openapi": "3.1.0", "paths": {}, "x": [${"{},".repeat(1_000_000)}{}]}`));
    assert.deepEqual(many, { kind: "unreadable", problem: "the schema has more than 1000000 objects and lists" });
    const endless = await documents.read(owner(`# ${"x".repeat(20_000)}\nopenapi: 3.1.0\nx: &x [*x]\npaths: {}\n`));
    assert.deepEqual(endless, { kind: "unreadable", problem: "the schema has more than 200 levels" });
  });
});
