import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, type DescMethod, type Message, toJsonString } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { ExampleSchema } from "@frontdesk/protos/ces/example";
import type { JsonObject } from "#base";
import { createResources, type InspectedModule, type Resources } from "#resources";
import { APP, CALL, openResources, type TestResources } from "./open-resources.ts";

const { method } = AgentService;
const AGENT = (id: string) => `${APP}/agents/agent-${id}`;
const TOOL = (id: string) => `${APP}/tools/tool-${id}`;
const code = (name: string) => `def ${name}(a: str) -> dict:\n  return {}\n`;

/** A sandbox that counts what it is asked, and cannot be had while `isAway`. */
function sandbox() {
  const looked: string[] = [];
  const counted = {
    looked,
    isAway: false,
    inspect: async (text: string): Promise<InspectedModule> => {
      looked.push(text);
      if (counted.isAway) throw new Error("no guest");
      const name = /def (\w+)/.exec(text)?.[1];
      if (!name) return { kind: "broken", type: "SyntaxError", message: "invalid syntax", line: 1, column: 1 };
      const place = { line: 1, column: 1 };
      return {
        kind: "module",
        functions: [{ name, ...place, docstring: "", returns: "dict", parameters: [] }],
      };
    },
  };
  return counted;
}

function over(test: TestResources, inspectPython = sandbox().inspect): Resources {
  let last = 0;
  const ids = { uuid: () => `10000000-0000-4000-8000-${String(++last).padStart(12, "0")}` };
  return createResources({ store: test.storage.resources, clock: { now: () => 1_000 }, ids, inspectPython });
}

const invoke = (resources: Resources, desc: DescMethod, request: object): Promise<Message> =>
  resources.standard.invoke(desc, create(desc.input, request as never), CALL);

const agent = (id: string, more: object = {}) => ({
  parent: APP,
  agentId: `agent-${id}`,
  agent: {
    displayName: id,
    instruction: "Help.",
    beforeModelCallbacks: [{ callback: { case: "pythonCode", value: `${code("before_model_callback")}# ${id}` } }],
    ...more,
  },
});
const tool = (id: string) => ({
  parent: APP,
  toolId: `tool-${id}`,
  tool: { toolType: { case: "pythonFunction", value: { name: id, pythonCode: code(id) } } },
});
const instructed = (id: string, instruction: string) => ({
  agent: { name: AGENT(id), instruction },
  updateMask: { paths: ["instruction"] },
});

/** Changes after which other resources have other problems, or the same. */
const STEPS: readonly (readonly [DescMethod, JsonObject | object])[] = [
  [method.createTool, tool("look")],
  [method.createTool, tool("find")],
  [
    method.createAgent,
    agent("first", { instruction: "Use {@TOOL: look} and {@AGENT: third}.", tools: [TOOL("look")] }),
  ],
  [method.createAgent, agent("second", { instruction: "Use {@TOOL: find} and {@WIDGET: look}." })],
  [method.createExample, { parent: APP, exampleId: "example-one", example: example() }],
  [method.createAgent, agent("third", { childAgents: [AGENT("second")] })],
  [method.updateTool, written("look", "gaze")],
  [method.updateTool, written("look", "look")],
  [method.updateAgent, instructed("first", "Use {@AGENT: second}, {@AGENT: third} and {@TOOL: find}.")],
  [method.updateAgent, renamed("third", "fourth")],
  [method.updateApp, { app: { name: APP, rootAgent: AGENT("first") }, updateMask: { paths: ["root_agent"] } }],
  [method.updateTool, { tool: { ...tool("find").tool, name: TOOL("find"), displayName: "find" } }],
  [method.updateTool, written("find", "find", "nothing")],
  [method.updateAgent, instructed("second", "Use {@TOOL: look}.")],
  [method.deleteTool, { name: TOOL("look"), force: true }],
  [method.updateAgent, renamed("fourth", "third", "third")],
  [method.deleteAgent, { name: AGENT("second"), force: true }],
  [method.createTool, tool("look")],
];

function renamed(id: string, displayName: string, stored = id) {
  return { agent: { name: AGENT(stored), displayName }, updateMask: { paths: ["display_name"] } };
}

function written(id: string, name: string, pythonCode = code(name)) {
  const value = { name, pythonCode };
  return {
    tool: { name: TOOL(id), toolType: { case: "pythonFunction", value } },
    updateMask: { paths: ["python_function"] },
  };
}

function example() {
  const toolCall = { toolIdentifier: { case: "tool", value: TOOL("look") }, displayName: "" };
  const chunks = [{ data: { case: "toolCall", value: toolCall } }];
  return { displayName: "One", messages: [{ role: "agent", chunks }] };
}

/** The app, its agents and its examples as JSON, without times and etags. */
async function told(resources: Resources): Promise<string> {
  const tree = await resources.tree.readTree(APP);
  const all = [
    toJsonString(AppSchema, tree.app),
    ...tree.agents.map((one) => toJsonString(AgentSchema, one)),
    ...tree.examples.map((one) => toJsonString(ExampleSchema, one)),
  ];
  return all.join("\n").replaceAll(/"(?:etag|createTime|updateTime)":"[^"]*",?/g, "");
}

describe("the output-only fields of an app", () => {
  it("are after each change what a server finds that looks at all of the app", async () => {
    await using one = await openResources();
    await using other = await openResources();
    const remembering = over(one);
    for (const [at, [desc, request]] of STEPS.entries()) {
      await invoke(remembering, desc, request);
      const fresh = over(other);
      await invoke(fresh, desc, request);
      assert.equal(await told(remembering), await told(fresh), `after step ${at}, ${desc.name}`);
    }
    assert.match(await told(remembering), /names no agent of this app/);
  });

  it("are looked for where something changed, and nowhere else", async () => {
    await using test = await openResources();
    const { looked, inspect } = sandbox();
    const resources = over(test, inspect);
    for (const id of ["one", "two", "three"]) await invoke(resources, method.createTool, tool(id));
    for (const id of ["a", "b", "c"]) await invoke(resources, method.createAgent, agent(id, { tools: [TOOL("one")] }));
    // What was written last is looked at once more.
    await invoke(resources, method.updateAgent, instructed("a", "Help more."));
    looked.length = 0;
    await invoke(resources, method.updateAgent, instructed("a", "Help most."));
    assert.deepEqual(looked, [`${code("before_model_callback")}# a`]);
  });

  it("that could not be found out are looked for with the next change", async () => {
    await using test = await openResources();
    const python = sandbox();
    const resources = over(test, python.inspect);
    python.isAway = true;
    await invoke(resources, method.createTool, tool("one"));
    await invoke(resources, method.createAgent, agent("a"));
    assert.match(await told(resources), /agents\/agent-a.*could not be checked: no guest/);
    assert.match(await told(resources), /Tool 'one', python_function: could not be checked: no guest/);
    python.isAway = false;
    await invoke(resources, method.createAgent, agent("b"));
    assert.doesNotMatch(await told(resources), /could not be checked/);
  });
});
