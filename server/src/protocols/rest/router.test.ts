import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parsePathTemplate } from "./path-template.ts";
import { createRouter } from "./router.ts";

describe("parsePathTemplate", () => {
  it("parses a template into segments, variables and verb", () => {
    assert.deepEqual(parsePathTemplate("/v1/{config.session=apps/*/sessions/*}/x:runSession"), {
      segments: [
        { kind: "literal", text: "v1" },
        { kind: "literal", text: "apps" },
        { kind: "any" },
        { kind: "literal", text: "sessions" },
        { kind: "any" },
        { kind: "literal", text: "x" },
      ],
      variables: [{ fieldPath: ["config", "session"], start: 1, end: 5, multiSegment: true }],
      verb: "runSession",
    });
  });

  it("reads a bare variable as one segment and ** as the rest", () => {
    assert.deepEqual(parsePathTemplate("/v1/{id}").variables, [
      { fieldPath: ["id"], start: 1, end: 2, multiSegment: false },
    ]);
    assert.deepEqual(parsePathTemplate("/v1/{name=files/**}").variables, [
      { fieldPath: ["name"], start: 1, end: undefined, multiSegment: true },
    ]);
  });

  it("throws on invalid templates", () => {
    for (const text of ["", "/", "v1/x", "/v1/**/x"]) assert.throws(() => parsePathTemplate(text), text);
  });
});

describe("createRouter", () => {
  const router = createRouter(
    [
      ["GET", "/v1/{name=apps/*}"],
      ["GET", "/v1/apps/special"],
      ["GET", "/v1/{name=apps/*/agents/*}"],
      ["POST", "/v1/{name=apps/*}:run"],
      ["POST", "/v1/{name=apps/*}:runSlowly"],
      ["POST", "/v1/apps:import"],
      ["GET", "/v1/{name=files/**}"],
      ["GET", "/v1/{name=files/**}:meta"],
      ["GET", "/v1/ids/{id}"],
      ["GET", "/v1/{a=x/*}/{b=y/*}"],
    ].map(([httpMethod = "", template = ""]) => ({ httpMethod, template, route: template })),
  );
  const find = (httpMethod: string, path: string) => {
    const routing = router.find(httpMethod, path);
    return routing.kind === "found"
      ? [routing.match.route, ...routing.match.values.map(({ value }) => value)]
      : routing;
  };

  it("prefers a literal to *, and backtracks when the literal has no route", () => {
    assert.deepEqual(find("GET", "/v1/apps/special"), ["/v1/apps/special"]);
    assert.deepEqual(find("GET", "/v1/apps/special/agents/b"), ["/v1/{name=apps/*/agents/*}", "apps/special/agents/b"]);
  });

  it("distinguishes verbs, and treats an unknown one as part of the id", () => {
    assert.deepEqual(find("POST", "/v1/apps/a:run"), ["/v1/{name=apps/*}:run", "apps/a"]);
    assert.deepEqual(find("POST", "/v1/apps/a:runSlowly"), ["/v1/{name=apps/*}:runSlowly", "apps/a"]);
    assert.deepEqual(find("POST", "/v1/apps:import"), ["/v1/apps:import"]);
    assert.deepEqual(find("GET", "/v1/apps/a:walk"), ["/v1/{name=apps/*}", "apps/a:walk"]);
    assert.deepEqual(find("GET", "/v1/apps/a%3Arun"), ["/v1/{name=apps/*}", "apps/a:run"]);
  });

  it("matches ** with one segment or more", () => {
    assert.deepEqual(find("GET", "/v1/files/a/b/c"), ["/v1/{name=files/**}", "files/a/b/c"]);
    assert.deepEqual(find("GET", "/v1/files/a:meta"), ["/v1/{name=files/**}:meta", "files/a"]);
    assert.deepEqual(find("GET", "/v1/files"), { kind: "unknown" });
  });

  it("unescapes a one-segment variable completely, and keeps slashes escaped in longer ones", () => {
    assert.deepEqual(find("GET", "/v1/ids/a%2Fb%20c"), ["/v1/ids/{id}", "a/b c"]);
    assert.deepEqual(find("GET", "/v1/apps/a%2fb%20c"), ["/v1/{name=apps/*}", "apps/a%2fb c"]);
  });

  it("fills several variables", () => {
    assert.deepEqual(find("GET", "/v1/x/1/y/2"), ["/v1/{a=x/*}/{b=y/*}", "x/1", "y/2"]);
  });

  it("matches no empty segments", () => {
    for (const path of ["/v1/apps/", "/v1//a", "/v1/files/a//b", "//", "/"])
      assert.deepEqual(find("GET", path), { kind: "unknown" }, path);
  });

  it("names the allowed methods", () => {
    assert.deepEqual(find("DELETE", "/v1/apps/a"), { kind: "wrong-method", allowed: ["GET"] });
  });
});
