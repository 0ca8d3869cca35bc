import type { App } from "@frontdesk/protos/ces/app";
import type { Guardrail_ContentFilter } from "@frontdesk/protos/ces/guardrail";
import { thrownMessage } from "#base";
import type { InspectedFunction, InspectedModule, InspectPython, ToolChecks } from "../contract.ts";
import { type EntryPointSignature, mappingOf } from "./callback-signatures.ts";
import { limitConcurrency } from "./concurrency-limit.ts";
import { loadError } from "./load-error.ts";

/** Files that are checked at the same time: a whole app is checked after a restart, which must not occupy every guest. */
const MAX_CHECKS = 4;

/** Services of this server that resources depend on. */
export interface ServerFacts {
  /** Services of Google Cloud that the operator has configured for apps. Default none. */
  readonly services: ReadonlySet<"dialogflow" | "dlp">;
  /** Why enabled settings of an app export none of its turns, with the field's name and the fix (CONV-17, CONV-18). */
  readonly exportProblems: (app: App) => readonly { readonly field: string; readonly problem: string }[];
  /** Why expressions of a content filter cannot be used, one sentence each without a full stop (GUARD-29). */
  readonly filterProblems: (filter: Guardrail_ContentFilter) => Promise<readonly string[]>;
  /** What of an instruction cannot be read, one sentence each (TURN-53). */
  readonly instructionProblems: (text: string) => readonly string[];
  /** The template of default prompt security: `DefaultSecuritySettings.default_prompt_template`. Default "". */
  readonly promptSecurityTemplate: string;
  /**
   * The label of the model that answers to a name, when it is a language model without safety settings (GUARD-17). Undefined when it has
   * them, when it writes no text of its own, and when no model answers to the name.
   */
  readonly modelWithoutSafetySettings: (model: string) => string | undefined;
  /** How many functions the model that answers to a name takes, and its label. Undefined when that is not known. */
  readonly functionLimit: (model: string) => { readonly label: string; readonly most: number } | undefined;
}

const DEFAULT_SERVER: ServerFacts = {
  services: new Set(),
  exportProblems: () => [],
  filterProblems: async () => [],
  instructionProblems: () => [],
  promptSecurityTemplate: "",
  modelWithoutSafetySettings: () => undefined,
  functionLimit: () => undefined,
};

const NO_TOOL_CHECKS: ToolChecks = {
  problems: async () => [],
  knownToolIds: async () => undefined,
  nameOf: async () => undefined,
  refreshSnapshots: async (toolset) => toolset,
};

/** The entry function of a tool's code, and all problems that prevent calling it. */
interface ToolReport {
  /** Name of the entry function: the one asked for, or the first in the file; "" when there is none. */
  readonly entry: string;
  /** Docstring of the entry function. */
  readonly docstring: string;
  /** In plain words, each starting with its line. */
  readonly problems: readonly string[];
}

/**
 * Judges Python by the rules that the product applies when it loads code (PY-5). The hosted service silently drops code
 * that breaks them; here every case is a validation error.
 */
export interface PythonChecks {
  /** Services of this server that resources depend on. */
  readonly server: ServerFacts;
  /** The checks of tools that are not Python. */
  readonly tools: ToolChecks;
  /** A tool whose entry function is `entry` ("" = the first function of the file). */
  tool(code: string, entry: string): Promise<ToolReport>;
  /** Code that must define the function of this signature. */
  entryPoint(code: string, signature: EntryPointSignature): Promise<readonly string[]>;
  /** A widget's data mapping: the function named `entry` ("" = the first of the file), which is passed the source tool's output. */
  mapping(code: string, entry: string): Promise<readonly string[]>;
  /** A tool fake: `fake_tool_call`, or one `fake_{tool id}` for each tool. */
  fake(code: string, signature: EntryPointSignature): Promise<readonly string[]>;
  /** The same checks, and whether all that they found since stays as long as the messages that they were asked about. */
  watched(): WatchedChecks;
  /** What `find` finds of each resource by itself, in their order. What stays is found once for each message, so a change of one resource costs one. */
  ofEach<R extends object>(resources: readonly R[], find: FindProblems<R>): Promise<readonly string[]>;
}

interface WatchedChecks {
  readonly checks: PythonChecks;
  /** False when something could not be found out, or is what another server last answered. */
  readonly isLasting: () => boolean;
}

type FindProblems<R extends object> = (resource: R, python: PythonChecks) => Promise<readonly string[]>;

/** Creates the checks. */
export function createPythonChecks(
  inspectPython: InspectPython,
  facts: Partial<ServerFacts> = {},
  tools: ToolChecks = NO_TOOL_CHECKS,
): PythonChecks {
  const server: ServerFacts = { ...DEFAULT_SERVER, ...facts };
  const limited = limitConcurrency(MAX_CHECKS);
  const inspect: InspectPython = (code) => limited(() => inspectPython(code));
  return checksWith({ inspect, server, tools, kept: new Map(), onPassing: () => undefined });
}

interface ChecksParts {
  readonly inspect: InspectPython;
  readonly server: ServerFacts;
  readonly tools: ToolChecks;
  /** What was found that stays, by what finds it. */
  readonly kept: Map<unknown, WeakMap<object, readonly string[]>>;
  /** Told of each finding that may be another one later. */
  readonly onPassing: () => void;
}

/** Kinds of tools of which all problems are in the tool: those of others are also what a server last answered, or what is configured. */
const COMPLETE_KINDS: ReadonlySet<string | undefined> = new Set(["pythonFunction", "widgetTool", "clientFunction"]);

function checksWith(parts: ChecksParts): PythonChecks {
  const { inspect, server, tools, kept, onPassing } = parts;
  const load = async (code: string): Promise<Loaded> => {
    try {
      return loadedOf(await inspect(code));
    } catch (error) {
      // The resource may be valid: the next change in the app checks it again.
      onPassing();
      return { problem: `could not be checked: ${thrownMessage(error)}` };
    }
  };

  async function tool(code: string, entry: string): Promise<ToolReport> {
    const module = await load(code);
    // A tool keeps its name while its code has errors.
    if ("problem" in module)
      return { entry: entry || firstFunctionIn(code), docstring: "", problems: [module.problem] };
    const found = entry === "" ? module.functions[0] : module.functions.find(({ name }) => name === entry);
    if (!found) return { entry, docstring: "", problems: [missingFunction(entry, module.functions)] };
    return { entry: found.name, docstring: found.docstring, problems: toolProblems(found) };
  }

  async function entryPoint(code: string, signature: EntryPointSignature): Promise<readonly string[]> {
    const module = await load(code);
    if ("problem" in module) return [module.problem];
    const found = module.functions.find(({ name }) => name === signature.name);
    return found ? entryPointProblems(found, signature) : [missingFunction(signature.name, module.functions)];
  }

  async function mapping(code: string, entry: string): Promise<readonly string[]> {
    const module = await load(code);
    if ("problem" in module) return [module.problem];
    const found = entry === "" ? module.functions[0] : module.functions.find(({ name }) => name === entry);
    return found ? entryPointProblems(found, mappingOf(found.name)) : [missingFunction(entry, module.functions)];
  }

  async function fake(code: string, signature: EntryPointSignature): Promise<readonly string[]> {
    const module = await load(code);
    if ("problem" in module) return [module.problem];
    const fakes = module.functions.filter(({ name }) => name.startsWith("fake_"));
    if (fakes.length === 0) return [missingFunction(signature.name, module.functions)];
    return fakes.flatMap((each) => entryPointProblems(each, { ...signature, name: each.name }));
  }

  async function ofEach<R extends object>(resources: readonly R[], find: FindProblems<R>): Promise<readonly string[]> {
    const known = kept.get(find) ?? new WeakMap<object, readonly string[]>();
    kept.set(find, known);
    const found = new Map<R, readonly string[]>();
    const missing = resources.filter((resource) => !known.has(resource));
    await Promise.all(
      missing.map(async (resource) => {
        const { checks, isLasting } = watchedChecks(parts);
        const problems = await find(resource, checks);
        found.set(resource, problems);
        if (isLasting()) known.set(resource, problems);
      }),
    );
    return resources.flatMap((resource) => found.get(resource) ?? known.get(resource) ?? []);
  }

  return { server, tools, tool, entryPoint, mapping, fake, watched: () => watchedChecks(parts), ofEach };
}

function watchedChecks(parts: ChecksParts): WatchedChecks {
  const { server, tools } = parts;
  let lasting = true;
  const note = () => {
    lasting = false;
    parts.onPassing();
  };
  const checks = checksWith({
    ...parts,
    onPassing: note,
    server: {
      ...server,
      filterProblems: (filter) => {
        note();
        return server.filterProblems(filter);
      },
    },
    tools: {
      ...tools,
      problems: (subject) => {
        if (!("toolType" in subject) || !COMPLETE_KINDS.has(subject.toolType.case)) note();
        return tools.problems(subject);
      },
    },
  });
  return { checks, isLasting: () => lasting };
}

type Loaded = { readonly functions: readonly InspectedFunction[] } | { readonly problem: string };

function loadedOf(module: InspectedModule): Loaded {
  return module.kind === "module" ? module : { problem: `${placeOf(module)}: does not load: ${loadError(module)}` };
}

/** The start of every problem: line and column as editors count them. */
function placeOf({ line, column }: { readonly line: number; readonly column: number }): string {
  return `line ${line}, column ${column}`;
}

/** The first function in the text, for code that does not load; "" when there is none. */
function firstFunctionIn(code: string): string {
  return /^(?:async )?def\s+(\w+)/m.exec(code)?.[1] ?? "";
}

function missingFunction(expected: string, functions: readonly InspectedFunction[]): string {
  const names = functions.map(({ name }) => `'${name}'`).join(", ");
  if (expected === "") return "defines no function";
  return `does not define the function '${expected}', so it never runs${names ? ` (it defines ${names})` : ""}`;
}

function toolProblems(found: InspectedFunction): readonly string[] {
  const { name, parameters } = found;
  const problems = parameters.flatMap((parameter) => {
    const problem = toolParameterProblem(parameter, name);
    return problem ? [`${placeOf(parameter)}: ${problem}`] : [];
  });
  return [...problems, ...missingAnnotations(found)];
}

/** One problem for all annotations that a tool's function lacks, at the first of them. */
function missingAnnotations(found: InspectedFunction): readonly string[] {
  const { name, returns } = found;
  const bare = found.parameters.filter((parameter) => parameter.annotation === "" && !mustBeRewritten(parameter));
  const [first] = bare;
  if (!first) return returns === "" ? [`${placeOf(found)}: '${name}' has no return annotation; write '-> dict'`] : [];
  const names = bare.map((parameter) => `'${parameter.name}'`).join(", ");
  const subject = bare.length === 1 ? `parameter ${names} of '${name}' has` : `parameters ${names} of '${name}' have`;
  const missing = returns === "" ? "no annotation, and it has no return annotation" : "no annotation";
  const example = `'${first.name}: str'${returns === "" ? " and '-> dict'" : ""}`;
  return [
    `${placeOf(first)}: ${subject} ${missing}; write ${bare.length === 1 ? "its type" : "their types"}, as in ${example}`,
  ];
}

type InspectedParameter = InspectedFunction["parameters"][number];

function toolParameterProblem(parameter: InspectedParameter, owner: string): string | undefined {
  const { name, kind, annotation, unresolved } = parameter;
  if (isVariadic(parameter)) return `'${owner}' takes '${PREFIXES[kind]}${name}'; name each parameter`;
  if (/\b(?:Tool|Callback)Context\b/.test(annotation))
    // PY-64
    return `parameter '${name}' of '${owner}' is a context, which no model can give; remove it and use the global 'context'`;
  if (mustBeRewritten(parameter))
    return `parameter '${name}' of '${owner}' has the default None; use an empty value of its type`;
  if (unresolved) return `the annotation '${annotation}' of parameter '${name}' of '${owner}' has an undefined name`;
  return undefined;
}

function isVariadic({ kind }: InspectedParameter): boolean {
  return kind === "var-positional" || kind === "var-keyword";
}

/** Whether the parameter has a problem beside which a missing annotation does not matter. */
function mustBeRewritten(parameter: InspectedParameter): boolean {
  return isVariadic(parameter) || (parameter.hasDefault && parameter.default === null);
}

function entryPointProblems(found: InspectedFunction, { name, parameters }: EntryPointSignature): readonly string[] {
  const expected = parameters.map((each) => [each.name, ...each.annotations.slice(0, 1)].join(": ")).join(", ");
  const given = found.parameters.filter(isPassedOrMissed);
  if (given.length !== parameters.length || given.some(({ kind }) => kind !== "positional")) {
    const taken = given.map(({ name: parameter, kind }) => `${PREFIXES[kind]}${parameter}`).join(", ");
    return [
      `${placeOf(found)}: '${name}' takes ${given.length === 0 ? "no parameters" : `(${taken})`} where ` +
        `${parameters.length} are passed by position (${expected})`,
    ];
  }
  const wrong = parameters.flatMap(({ annotations }, index) => {
    const actual = given[index];
    const isRight = !actual || annotations.length === 0 || isAnnotatedAs(actual.annotation, annotations);
    return isRight ? [] : [{ actual, expected: annotations[0] ?? "" }];
  });
  return wrongAnnotations(wrong, name);
}

/** One problem for all parameters of a function with no annotation or another than the expected one, at the first of them. */
function wrongAnnotations(
  wrong: readonly { readonly actual: InspectedParameter; readonly expected: string }[],
  owner: string,
): readonly string[] {
  const [first, ...others] = wrong;
  if (!first) return [];
  const described = wrong.map(({ actual, expected }) => {
    const written = actual.annotation === "" ? "no annotation" : `the annotation '${actual.annotation}'`;
    return { parameter: actual.name, advice: `${written}; write '${expected}'` };
  });
  const list = described.map(({ parameter, advice }) => `'${parameter}' (${advice})`).join(", ");
  const problem =
    others.length === 0
      ? `parameter '${first.actual.name}' of '${owner}' has ${described[0]?.advice}`
      : `parameters of '${owner}' have no or wrong annotations: ${list}`;
  return [`${placeOf(first.actual)}: ${problem}`];
}

const PREFIXES = { positional: "", "keyword-only": "*, ", "var-positional": "*", "var-keyword": "**" } as const;

/** Parameters that the product counts: those without a default, and `*args` and `**kwargs`. */
function isPassedOrMissed(parameter: InspectedParameter): boolean {
  return isVariadic(parameter) || !parameter.hasDefault;
}

function isAnnotatedAs(annotation: string, allowed: readonly string[]): boolean {
  const bare = annotation.replace(/[\s"']/g, "").replace(/\[.*$/, "");
  return allowed.includes(bare.slice(bare.lastIndexOf(".") + 1));
}
