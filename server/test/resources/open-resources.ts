import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, type DescMethod, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { createLogger } from "#base";
import { createResources, type InspectedFunction, type InspectedModule, type Resources } from "#resources";
import { openStorage, type Storage } from "#storage";

export const LOCATION = "projects/test/locations/here";
export const APP = `${LOCATION}/apps/garden`;

/** The method descriptors of both services, by their local names. */
const METHODS = { ...AgentService.method, ...EvaluationService.method };

type Methods = typeof METHODS;

/** The response of a method: the resource where the API has an operation. */
type Response<K extends keyof Methods> = Methods[K]["output"]["typeName"] extends "google.longrunning.Operation"
  ? unknown
  : MessageShape<Methods[K]["output"]>;

/** Resources over a store of their own, with a clock that advances a second per call and sequential ids. */
export interface TestResources extends AsyncDisposable {
  readonly resources: Resources;
  readonly storage: Storage;
  /** Calls a standard method with a request literal. */
  call<K extends keyof Methods>(method: K, request: MessageInitShape<Methods[K]["input"]>): Promise<Response<K>>;
}

/** Who calls in these tests. */
export const CALL = { author: "mia@example.com" };

/** Opens resources on an empty data folder; with `app`, the app `garden` exists. */
export async function openResources(options: { readonly app?: boolean } = {}): Promise<TestResources> {
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-resources-"));
  const clock = tickingClock();
  const storage = await openStorage({ dataDir, clock, logger: createLogger("silent") });
  const resources = createResources({
    store: storage.resources,
    clock,
    ids: countingIds(),
    inspectPython,
  });
  const test: TestResources = {
    resources,
    storage,
    call: async (name, request) => {
      const method: DescMethod = METHODS[name];
      return (await resources.standard.invoke(method, create(method.input, request as never), CALL)) as never;
    },
    [Symbol.asyncDispose]: async () => {
      await storage.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  if (options.app ?? true)
    await test.call("createApp", { parent: LOCATION, appId: "garden", app: { displayName: "Garden" } });
  return test;
}

function tickingClock() {
  let now = Date.parse("2026-05-01T00:00:00Z");
  return {
    now: () => {
      now += 1000;
      return now;
    },
  };
}

function countingIds() {
  let last = 0;
  return { uuid: () => `00000000-0000-4000-8000-${String(++last).padStart(12, "0")}` };
}

/** A stub of the sandbox: parses top-level `def` lines; a line that says `broken` does not load. */
async function inspectPython(code: string): Promise<InspectedModule> {
  const lines = code.split("\n");
  const broken = lines.findIndex((line) => line.startsWith("broken"));
  if (broken >= 0)
    return { kind: "broken", type: "SyntaxError", message: "invalid syntax", line: broken + 1, column: 1 };
  return { kind: "module", functions: lines.flatMap((line, index) => toFunction(line, index, lines)) };
}

function toFunction(line: string, index: number, lines: readonly string[]): InspectedFunction[] {
  const match = /^def (\w+)\((.*)\)(?: -> (.*))?:$/.exec(line);
  if (!match) return [];
  const [, name = "", parameters = "", returns = ""] = match;
  const docstring = /^ {4}"""(.*)"""$/.exec(lines[index + 1] ?? "")?.[1] ?? "";
  return [
    {
      name,
      line: index + 1,
      column: 1,
      docstring,
      returns,
      parameters: parameters
        .split(/, (?![^[]*\])/)
        .filter(Boolean)
        .map((text) => toParameter(text, { line: index + 1, column: line.indexOf(text) + 1 })),
    },
  ];
}

function toParameter(
  text: string,
  place: { readonly line: number; readonly column: number },
): InspectedFunction["parameters"][number] {
  const [, stars = "", name = "", annotation = "", value] =
    /^(\**)(\w+)(?:: ([^=]*?))?(?: ?= ?(.*))?$/.exec(text) ?? [];
  const kind = stars === "**" ? "var-keyword" : stars === "*" ? "var-positional" : "positional";
  return {
    name,
    kind,
    ...place,
    annotation,
    unresolved: false,
    hasDefault: value !== undefined,
    ...(value !== undefined && { default: value === "None" ? null : value }),
  };
}
