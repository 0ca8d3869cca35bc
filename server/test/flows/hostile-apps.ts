import type { JsonObject } from "#base";
import { importOf, zipOf } from "./hostile-packages.ts";
import { type HostileRequest, turn } from "./hostile-requests.ts";

const APP_ID = "hostile-large-app";
const APP = `projects/local/locations/us/apps/${APP_ID}`;

const GROUP = "a large app";

/**
 * What people do with an app of many resources, in this order: `size` agents, as many tools, examples and evaluations, and texts of this
 * length besides.
 */
export function hostileApps(size: number, length: number): readonly HostileRequest[] {
  const content = () => zipOf(filesOf(size, length));
  const get = (name: string, path: string): HostileRequest => ({
    group: GROUP,
    name,
    method: "GET",
    path: `/v1beta/${APP}${path}`,
    body: () => "",
  });
  const change = (name: string, path: string, body: JsonObject): HostileRequest => ({
    group: GROUP,
    name,
    method: "PATCH",
    path: `/v1beta/${APP}${path}`,
    body: () => body,
  });
  const post = (name: string, path: string, body: JsonObject): HostileRequest => ({
    group: GROUP,
    name,
    path: `/v1beta/${APP}${path}`,
    body: () => body,
  });
  const requests: readonly HostileRequest[] = [
    importOf("import", content, APP_ID),
    importOf("import again", content, APP_ID),
    { ...turn(APP_ID, () => [{ text: "hi" }]), group: GROUP, name: "turn" },
    { ...turn(APP_ID, () => [{ text: "hi again" }]), group: GROUP, name: "second turn" },
    get("get", ""),
    ...["agents", "tools", "examples", "evaluations", "guardrails", "changelogs"].flatMap((part) => [
      get(`list of ${part}`, `/${part}?pageSize=1000`),
      get(`list of ${part} by a filter`, `/${part}?pageSize=1000&filter=display_name%3D%22nothing%22`),
    ]),
    get("list of tools with those of toolsets", "/tools?pageSize=1000&filter=include_system_tools%3Dtrue"),
    change("change", "?updateMask=description", { description: "x" }),
    change("change of an agent", "/agents/agent-number-1?updateMask=description", { description: "x" }),
    change("change of the child agents", "/agents/agent-number-0?updateMask=childAgents", { childAgents: [] }),
    post("version", "/versions?appVersionId=first-one", { displayName: "First" }),
    post("second version", "/versions?appVersionId=second-one", { displayName: "Second" }),
    get("get of a version", "/versions/first-one"),
    get("list of versions", "/versions"),
    post("restore", "/versions/first-one:restore", {}),
    post("export", ":exportApp", { exportFormat: "JSON" }),
    post("export as YAML", ":exportApp", { exportFormat: "YAML" }),
    { group: GROUP, name: "delete", method: "DELETE", path: `/v1beta/${APP}`, body: () => "" },
  ];
  return requests.map((each) => ({ ...each, group: GROUP, name: `${GROUP}: ${each.name.replace("import: ", "")}` }));
}

function filesOf(size: number, length: number): Readonly<Record<string, string>> {
  const numbers = Array.from({ length: size }, (_, at) => at);
  const text = "Ask for the number, then answer. ".repeat(length / size / 40);
  const resources = (part: string, make: (at: number) => object) =>
    Object.fromEntries(numbers.map((at) => [`${part}/${part}${at}/${part}${at}.json`, JSON.stringify(make(at))]));
  const said = (role: string, at: number) => ({ role, chunks: [{ text: `Something that ${role} says about ${at}.` }] });
  return {
    "app.json": JSON.stringify({
      displayName: "Large",
      rootAgent: "agents0",
      guardrails: numbers.slice(0, 20).map((at) => `guardrails${at}`),
      variableDeclarations: numbers.map((at) => ({
        name: `variable_${at}`,
        description: "One.",
        schema: { type: "STRING" },
      })),
    }),
    ...resources("agents", (at) => ({
      name: `agent-number-${at}`,
      displayName: `agents${at}`,
      instruction: `${text} {@TOOL: tools${at}} {variable_${at}}`,
      tools: [`tools${at}`],
      guardrails: [`guardrails${at}`],
      // A broad tree with a long branch.
      childAgents:
        at === 0
          ? numbers.slice(1, size / 2).map((child) => `agents${child}`)
          : at >= size / 2 && at < size - 1
            ? [`agents${at + 1}`]
            : [],
    })),
    ...resources("tools", (at) => ({
      clientFunction: {
        name: `tools${at}`,
        description: "Looks it up.",
        parameters: {
          type: "OBJECT",
          properties: Object.fromEntries(
            Array.from({ length: 20 }, (_, field) => [
              `field_${field}`,
              { type: "STRING", description: `Field ${field} of ${at}.` },
            ]),
          ),
        },
      },
    })),
    ...resources("guardrails", (at) => ({
      displayName: `guardrails${at}`,
      enabled: true,
      contentFilter: {
        bannedContents: Array.from({ length: 100 }, (_, word) => `forbidden${at}x${word}`),
        matchType: "WORD_BOUNDARY_STRING_MATCH",
      },
      action: { respondImmediately: { responses: [{ text: "No." }] } },
    })),
    ...resources("examples", (at) => ({
      displayName: `examples${at}`,
      messages: Array.from({ length: 10 }, (_, turn) => said(turn % 2 === 0 ? "user" : `agents${at}`, at)),
    })),
    ...resources("evaluations", (at) => ({
      displayName: `evaluations${at}`,
      golden: {
        turns: Array.from({ length: 10 }, () => ({
          steps: [
            { userInput: { text: `Question ${at}` } },
            { expectation: { agentResponse: { role: `agents${at}`, chunks: [{ text: "Answer." }] } } },
          ],
        })),
      },
    })),
  };
}
