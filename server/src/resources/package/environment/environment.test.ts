import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { replaceServerUrls, serverUrls } from "./server-urls.ts";

const swap = (schema: string): string => replaceServerUrls(schema, () => "$env_var");

describe("The server URLs of an OpenAPI schema", () => {
  for (const [what, schema, url, swapped] of [
    [
      "plain YAML",
      "servers:\n  - url: https://a.example/v1 # stage\npaths: {}\n",
      "https://a.example/v1",
      "servers:\n  - url: $env_var # stage\npaths: {}\n",
    ],
    [
      "quoted YAML",
      "servers:\n- {url: 'https://a.example/it''s'}\n",
      "https://a.example/it's",
      "servers:\n- {url: '$env_var'}\n",
    ],
    [
      "JSON",
      '{"servers":[{"url":"https:\\/\\/a.example"}],\n\t"paths":{}}',
      "https://a.example",
      '{"servers":[{"url":"$env_var"}],\n\t"paths":{}}',
    ],
  ] as const) {
    it(`are replaced in place in ${what}, and restored`, () => {
      assert.deepEqual(serverUrls(schema), [url]);
      assert.equal(swap(schema), swapped);
      assert.deepEqual(serverUrls(replaceServerUrls(swapped, (found) => (found === "$env_var" ? url : undefined))), [
        url,
      ]);
    });
  }

  for (const [what, before, after] of [
    ["between other fields", 'openapi: 3.1.0\n"servers":\n', "\npaths:\n  /a: {servers: [{url: /no}]}\n"],
    [
      "after comments and a directive",
      "# servers:\n%YAML 1.2\n---\ninfo: {title: 'x'}\nservers:\n",
      "\n# more\npaths: {}\n",
    ],
    ["in a text that begins with spaces", "  openapi: 3.1.0\n  servers:\n", "\n  paths: {}\n"],
    ["in a text with anchors", "x: &here {url: /b}\nservers:\n", "\ny: *here\n"],
    ["after a text that names them", "info:\n  description: |\n    servers:\n     - url: /no\nservers:\n", "\n"],
  ] as const) {
    it(`are found ${what}`, () => {
      const at = (url: string) => `${before}    - description: a\n      url: ${url}${after}`;
      assert.deepEqual([serverUrls(at("/a")), swap(at("/a"))], [["/a"], at("$env_var")]);
    });
  }

  it("are those of the document in JSON, whatever else has the key servers", () => {
    const at = (url: string) =>
      `{"title": "servers", "\\"servers": [{"url": "/no"}], "x": {"servers": [{"url": "/no"}]}, "servers" : [{"url": "${url}"}]}`;
    assert.deepEqual([serverUrls(at("/a")), swap(at("/a"))], [["/a"], at("$env_var")]);
    assert.deepEqual(serverUrls('{"a": "servers", "servers": null, "b": [{"url": "/no"}]}'), []);
  });

  it("get quotes where the new URL needs them", () => {
    assert.equal(
      replaceServerUrls("servers:\n- url: $env_var\n", () => "https://a #b"),
      'servers:\n- url: "https://a #b"\n',
    );
  });

  it("are all replaced when there are several", () => {
    assert.equal(
      swap("servers: [{url: /a}, {description: x}, {url: /b}]"),
      "servers: [{url: $env_var}, {description: x}, {url: $env_var}]",
    );
  });

  it("are found beside words with marks of references, in linear time", () => {
    const servers = "servers:\n- url: /a\n  description: This & that, *all* of it\n";
    const many = `paths:\n${"  /b: {}\n".repeat(5_000)}`;
    assert.deepEqual(serverUrls(`${servers}${many}`), ["/a"]);
    assert.deepEqual(serverUrls(`${"\n \n".repeat(100_000)}${servers}`), ["/a"]);
  });

  it("are none in a text that is no schema", () => {
    for (const text of ["", "servers: [", "servers: 1", "servers: [1, {url: 2}]", "just text", "{not json"]) {
      assert.deepEqual(serverUrls(text), []);
      assert.equal(swap(text), text);
    }
  });

  it("of paths and examples are not replaced", () => {
    const schema = "paths:\n  /a:\n    servers:\n    - url: https://b\n";
    assert.equal(swap(schema), schema);
  });
});
