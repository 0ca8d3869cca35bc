import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { AppSnapshotSchema } from "@frontdesk/protos/ces/app_version";
import { appNames } from "./app-names.ts";

const APP = "projects/p/locations/us/apps/shop";

const names = appNames(
  create(AppSnapshotSchema, {
    app: { name: APP },
    agents: [{ name: `${APP}/agents/a1`, displayName: "Order status" }],
    tools: [
      { name: `${APP}/tools/t1`, displayName: "look up" },
      { name: `${APP}/tools/t2`, displayName: "look_up" },
    ],
    toolsets: [{ name: `${APP}/toolsets/s1`, displayName: "order-api" }],
  }),
);

/** What a reference names: a resource name, or that of a toolset and the id of its tool. */
function found(reference: string): string | undefined {
  const tool = names.tool(reference);
  return tool?.case === "toolsetTool" ? `${tool.value.toolset} ${tool.value.toolId}` : tool?.value;
}

describe("the names of an app", () => {
  const TOOLS: readonly (readonly [reference: string, found: string | undefined])[] = [
    ["look up", `${APP}/tools/t1`],
    ["look_up", `${APP}/tools/t2`],
    ["look  up", `${APP}/tools/t1`],
    ["t2", `${APP}/tools/t2`],
    [`${APP}/tools/t2`, `${APP}/tools/t2`],
    ["projects/q/locations/eu/apps/shop-before/tools/t2", `${APP}/tools/t2`],
    ["projects/q/locations/eu/apps/shop-before/tools/t3", undefined],
    ["end_session", `${APP}/tools/end_session`],
    [`${APP}/tools/end_session`, `${APP}/tools/end_session`],
    ["order-api.find.one", `${APP}/toolsets/s1 find.one`],
    ["order-api/find", `${APP}/toolsets/s1 find`],
    ["order_api_find", `${APP}/toolsets/s1 find`],
    ["lok_up", undefined],
    ["order_api_", undefined],
    ["constructor", undefined],
  ];
  for (const [reference, expected] of TOOLS)
    it(`find the tool '${reference}': ${expected ?? "none"}`, () => assert.equal(found(reference), expected));

  it("take another name for a tool of the only toolset where they are asked for one", () => {
    const tool = names.toolOrMember("find");
    assert.equal(tool?.case === "toolsetTool" && tool.value.toolId, "find");
  });

  it("find agents by display name, id and resource name", () => {
    for (const reference of ["Order status", "Order_status", "a1", `${APP}/agents/a1`])
      assert.equal(names.agent(reference), `${APP}/agents/a1`, reference);
    assert.equal(names.agent("Order"), undefined);
  });
});
