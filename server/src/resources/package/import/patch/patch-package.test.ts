import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { imported, rejectedImport, shop } from "../../__fixtures__/shop.ts";

/** An import of the shop with a patch. */
const patched = (operations: unknown, texts = {}) => [shop(texts), fieldsOf(operations)] as const;

function fieldsOf(operations: unknown) {
  const value = typeof operations === "string" ? operations : JSON.stringify(operations);
  return { appId: "shop", jsonPatch: { case: "jsonPatchContent" as const, value } };
}

const FIELD = "json_patch_content";

describe("the JSON patch of an import", () => {
  it("changes manifests by their folder, in JSON and in YAML, before they are read", async () => {
    const yaml = {
      "tools/look/look.json": undefined,
      "tools/look/look.yaml": "displayName: look\npythonFunction: { name: look, pythonCode: tools/look/code.py }\n",
    } as never;
    for (const more of [{}, yaml]) {
      const texts = Object.fromEntries(Object.entries(shop(more)).filter(([, text]) => text !== undefined));
      const { app } = await imported(
        texts,
        fieldsOf([
          { op: "test", path: "/app/displayName", value: "Shop" },
          { op: "add", path: "/app/modelSettings", value: { model: "gemini-3-flash", thinkingLevel: "LOW" } },
          { op: "replace", path: "/agents/Root/instruction", value: "Help at once." },
          { op: "add", path: "/tools/look/timeout", value: "5s" },
          { op: "add", path: "/agents/Root/tools/-", value: "more" },
          { op: "add", path: "/tools/more", value: { displayName: "more", clientFunction: { name: "more" } } },
          { op: "remove", path: "/evaluations/E" },
        ]),
      );
      assert.equal(app.app.modelSettings?.model, "gemini-3-flash");
      assert.equal(app.agents[0]?.instruction, "Help at once.");
      assert.deepEqual(app.tools.map(({ displayName }) => displayName).sort(), ["look", "more"]);
      assert.equal(app.agents[0]?.tools.length, 3);
      assert.equal(app.evaluations.length, 0);
    }
  });

  it("moves and copies, and values of the environment can be changed", async () => {
    const environment = '{"app": {"loggingSettings": {"audioRecordingConfig": {"gcsBucket": "gs://theirs"}}}}';
    const { app } = await imported(
      ...patched(
        [
          { op: "copy", from: "/agents/Root", path: "/agents/Second" },
          { op: "replace", path: "/agents/Second/displayName", value: "Second" },
          {
            op: "replace",
            path: "/environment/app/loggingSettings/audioRecordingConfig/gcsBucket",
            value: "gs://ours",
          },
        ],
        {
          "environment.json": environment,
          "app.json":
            '{"displayName": "Shop", "rootAgent": "Root", "loggingSettings": {"audioRecordingConfig": {"gcsBucket": "$env_var"}}}',
        },
      ),
    );
    assert.deepEqual(app.agents.map(({ displayName }) => displayName).sort(), ["Root", "Second"]);
    assert.equal(app.app.loggingSettings?.audioRecordingConfig?.gcsBucket, "gs://ours");
  });

  const FAULTS: readonly (readonly [title: string, patch: unknown, message: string])[] = [
    ["is not JSON", "[", `${FIELD}: The patch is not JSON: `],
    ["is no list", {}, `${FIELD}: A JSON patch is a list of operations (RFC 6902).`],
    [
      "has too many operations",
      Array(1001).fill({}),
      `${FIELD}: The patch has 1001 operations; at most 1000 are possible.`,
    ],
    [
      "has operations that are none",
      [
        { op: "ad", path: "" },
        { op: "add", path: "app", value: 1 },
        { op: "add", path: "/app/x" },
        { op: "copy", path: "/app/x" },
      ],
      `${FIELD}[0].op: Must be one of add, remove, replace, move, copy, test; ${FIELD}[1].path: Must be a JSON pointer, such as /agents/Root/model, of at most 1000 characters; ${FIELD}[2].value: add needs a value; ${FIELD}[3].from: Must be a JSON pointer`,
    ],
    [
      "reaches for the machinery of objects",
      [{ op: "add", path: "/app/__proto__/polluted", value: 1 }],
      `${FIELD}[0].path: No member can be called __proto__`,
    ],
    [
      "names what is not there",
      [
        { op: "test", path: "/app/displayName", value: "Shop" },
        { op: "replace", path: "/agents/Rot/instruction", value: "" },
      ],
      `${FIELD}[1]: replace /agents/Rot/instruction: /agents has no 'Rot'; it has Root.`,
    ],
    [
      "names an element that is not there",
      [{ op: "remove", path: "/agents/Root/tools/9" }],
      `${FIELD}[0]: remove /agents/Root/tools/9: /agents/Root/tools is a list of 2; it has no '9'.`,
    ],
    [
      "goes below a text",
      [{ op: "add", path: "/app/displayName/short", value: "S" }],
      `${FIELD}[0]: add /app/displayName/short: /app/displayName is "Shop"; nothing is below it.`,
    ],
    [
      "tests for another value",
      [{ op: "test", path: "/app/displayName", value: "Market" }],
      `${FIELD}[0]: test /app/displayName: the value is "Shop", not the one that the test names.`,
    ],
    [
      "tests for another list",
      [
        { op: "add", path: "/app/x", value: Array(1000).fill(1) },
        { op: "test", path: "/app/x", value: Array(1000).fill(2) },
      ],
      `${FIELD}[1]: test /app/x: the value is a list of 1000, not the one that the test names.`,
    ],
    [
      "has a value of many levels",
      `[{"op": "add", "path": "/app/x", "value": ${"[".repeat(5_000)}${"]".repeat(5_000)}}]`,
      `${FIELD}[0].value: The value is nested more than 100 levels deep.`,
    ],
    [
      "replaces everything",
      [{ op: "replace", path: "", value: {} }],
      `${FIELD}[0]: replace of the whole document is not possible`,
    ],
    [
      "adds a part that packages have not",
      [{ op: "add", path: "/colours", value: {} }],
      `${FIELD}: /colours: a package has app, environment, agents`,
    ],
    ["leaves no app", [{ op: "remove", path: "/app" }], `${FIELD}: /app: an import without an app is not possible.`],
    [
      "makes a manifest no object",
      [{ op: "add", path: "/tools/look", value: 3 }],
      `${FIELD}: /tools/look: must be an object after the patch.`,
    ],
    [
      "names a folder outside of the package",
      [{ op: "add", path: "/tools/..", value: {} }],
      `${FIELD}: /tools/..: is no name of a folder.`,
    ],
    [
      "grows by copies of copies",
      [
        { op: "add", path: "/app/x", value: Array(1000).fill({ a: 1 }) },
        ...Array.from({ length: 40 }, () => ({ op: "copy", from: "/app/x", path: "/app/x/0" })),
      ],
      "The patch copies more than 100000 values.",
    ],
    [
      "nests copies in one another",
      [
        { op: "add", path: "/app/x", value: {} },
        ...Array.from({ length: 200 }, (_, index) => ({
          op: "copy",
          from: "/app/x",
          path: `/app/x${"/y".repeat(index + 1)}`,
        })),
      ],
      "The value is nested more than 100 levels deep.",
    ],
  ];
  for (const [title, patch, message] of FAULTS) {
    it(`is refused with its place, and nothing is written, when it ${title}`, async () => {
      const found = await rejectedImport(...patched(patch));
      assert.ok(found.includes(message), found);
    });
  }

  it("is followed by the checks of every import, which name the manifest", async () => {
    const found = await rejectedImport(...patched([{ op: "replace", path: "/app/rootAgent", value: "Nobody" }]));
    assert.match(found, /app\.json: rootAgent/);
  });
});
