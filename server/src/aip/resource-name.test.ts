import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  collectionOf,
  formatName,
  hasWildcard,
  idOf,
  isSingleton,
  matchName,
  parentOf,
  parentPattern,
  parseNamePattern,
} from "./resource-name.ts";

const AGENT = parseNamePattern("projects/{project}/locations/{location}/apps/{app}/agents/{agent}");
const SETTINGS = parseNamePattern("projects/{project}/locations/{location}/securitySettings");

describe("matchName", () => {
  it("returns the variables of a name, and formatName rebuilds the name", () => {
    const name = "projects/p-1/locations/eu/apps/a.b/agents/my agent";
    const variables = matchName(AGENT, name);
    assert.deepEqual(variables, { project: "p-1", location: "eu", app: "a.b", agent: "my agent" });
    assert.equal(formatName(AGENT, variables ?? {}), name);
  });

  for (const name of [
    "",
    "projects/p/locations/l/apps/a",
    "projects/p/locations/l/apps/a/tools/t",
    "projects/p/locations/l/apps/a/agents/",
    "projects/p/locations/l/apps//agents/x",
    "projects/p/locations/l/apps/a/agents/x/more",
    "/projects/p/locations/l/apps/a/agents/x",
  ]) {
    it(`does not match '${name}'`, () => assert.equal(matchName(AGENT, name), undefined));
  }

  it("matches '-' as any segment", () => {
    assert.deepEqual(matchName(AGENT, "projects/p/locations/l/apps/-/agents/x")?.app, "-");
    assert.deepEqual([hasWildcard("apps/-/agents/x"), hasWildcard("apps/a-b/agents/x")], [true, false]);
  });

  it("needs every variable to format a name", () => {
    assert.throws(() => formatName(AGENT, { project: "p" }), /needs location/);
  });
});

describe("the parts of a pattern", () => {
  it("are parent, collection and id", () => {
    assert.equal(parentPattern(AGENT).text, "projects/{project}/locations/{location}/apps/{app}");
    assert.equal(parentOf(AGENT, "projects/p/locations/l/apps/a/agents/x"), "projects/p/locations/l/apps/a");
    assert.deepEqual([collectionOf(AGENT), idOf("a/b/c"), isSingleton(AGENT)], ["agents", "c", false]);
  });

  it("identify singletons, whose name ends in a literal", () => {
    assert.equal(isSingleton(SETTINGS), true);
    assert.equal(collectionOf(SETTINGS), "securitySettings");
    assert.equal(parentOf(SETTINGS, "projects/p/locations/l/securitySettings"), "projects/p/locations/l");
  });
});
