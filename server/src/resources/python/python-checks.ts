import type { InspectedFunction, InspectedModule, InspectPython } from "../contract.ts";
import { atMost } from "./at-most.ts";
import type { HookSignature } from "./callback-signatures.ts";

/** Files looked at side by side: a whole app is checked after a restart, and that must not occupy every guest. */
const MAX_CHECKS = 4;

/** What the code of a tool is, and everything that would keep it from being called. */
export interface ToolReport {
  /** Name of the entry function: the one asked for, or the first in the file; "" when there is none. */
  readonly entry: string;
  /** Docstring of the entry function. */
  readonly docstring: string;
  /** In plain words, each starting with its line. */
  readonly problems: readonly string[];
}

/**
 * Judges Python by the rules that the product applies when it loads code (ces-runtime 1.2, 1.5, 1.6). The hosted service drops code
 * that breaks them without a word; here every case is told.
 */
export interface PythonChecks {
  /** A tool whose entry function is `entry` ("" = the first function of the file). */
  tool(code: string, entry: string): Promise<ToolReport>;
  /** A hook that must define the function of this signature. */
  hook(code: string, signature: HookSignature): Promise<readonly string[]>;
  /** A tool fake: `fake_tool_call`, or one `fake_{tool id}` for each tool. */
  fake(code: string, signature: HookSignature): Promise<readonly string[]>;
}

/** Creates the checks over what can load Python without running it for anyone. */
export function createPythonChecks(inspectPython: InspectPython): PythonChecks {
  const limited = atMost(MAX_CHECKS);
  const inspect: InspectPython = (code) => limited(() => inspectPython(code));

  async function tool(code: string, entry: string): Promise<ToolReport> {
    const module = await load(inspect, code);
    // The name of a tool must not come and go with mistakes in its code.
    if ("problem" in module)
      return { entry: entry || firstFunctionIn(code), docstring: "", problems: [module.problem] };
    const found = entry === "" ? module.functions[0] : module.functions.find(({ name }) => name === entry);
    if (!found) return { entry, docstring: "", problems: [missingFunction(entry, module.functions)] };
    return { entry: found.name, docstring: found.docstring, problems: toolProblems(found) };
  }

  async function hook(code: string, signature: HookSignature): Promise<readonly string[]> {
    const module = await load(inspect, code);
    if ("problem" in module) return [module.problem];
    const found = module.functions.find(({ name }) => name === signature.name);
    return found ? hookProblems(found, signature) : [missingFunction(signature.name, module.functions)];
  }

  async function fake(code: string, signature: HookSignature): Promise<readonly string[]> {
    const module = await load(inspect, code);
    if ("problem" in module) return [module.problem];
    const fakes = module.functions.filter(({ name }) => name.startsWith("fake_"));
    if (fakes.length === 0) return [missingFunction(signature.name, module.functions)];
    return fakes.flatMap((each) => hookProblems(each, { ...signature, name: each.name }));
  }

  return { tool, hook, fake };
}

type Loaded = { readonly functions: readonly InspectedFunction[] } | { readonly problem: string };

async function load(inspect: InspectPython, code: string): Promise<Loaded> {
  let module: InspectedModule;
  try {
    module = await inspect(code);
  } catch (error) {
    // The resource is sound whether or not it can be checked just now, and the next change in the app checks it again.
    return { problem: `could not be checked: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (module.kind === "module") return module;
  return { problem: `line ${module.line}: does not load: ${module.type}: ${module.message}` };
}

/** The first function by the look of the text alone, for code that does not load; "" when there is none. */
function firstFunctionIn(code: string): string {
  return /^(?:async )?def\s+(\w+)/m.exec(code)?.[1] ?? "";
}

function missingFunction(wanted: string, functions: readonly InspectedFunction[]): string {
  const names = functions.map(({ name }) => `'${name}'`).join(", ");
  if (wanted === "") return "defines no function";
  return `does not define the function '${wanted}', so it never runs${names ? ` (it defines ${names})` : ""}`;
}

function toolProblems({ line, name, parameters, returns }: InspectedFunction): readonly string[] {
  const problems: string[] = [];
  for (const parameter of parameters) {
    if (parameter.kind === "var-positional" || parameter.kind === "var-keyword") {
      problems.push(
        `line ${line}: '${name}' takes '${parameter.kind === "var-keyword" ? "**" : "*"}${parameter.name}'; name each parameter`,
      );
    } else if (parameter.hasDefault && parameter.default === null) {
      problems.push(
        `line ${line}: parameter '${parameter.name}' of '${name}' has the default None; use an empty value of its type`,
      );
    }
  }
  if (returns === "") problems.push(`line ${line}: '${name}' has no return annotation; write '-> dict'`);
  return problems;
}

function hookProblems(found: InspectedFunction, { name, parameters }: HookSignature): readonly string[] {
  const { line } = found;
  const expected = parameters.map((each) => `${each.name}: ${each.annotations[0] ?? ""}`).join(", ");
  const given = found.parameters.filter(({ kind, hasDefault }) => kind === "positional" && !hasDefault);
  if (given.length !== parameters.length) {
    return [
      `line ${line}: '${name}' takes ${given.length} parameters where ${parameters.length} are passed (${expected})`,
    ];
  }
  return parameters.flatMap((parameter, index) => {
    const actual = given[index];
    if (!actual || isAnnotatedAs(actual.annotation, parameter.annotations)) return [];
    const written = actual.annotation === "" ? "no annotation" : `the annotation '${actual.annotation}'`;
    return [
      `line ${line}: parameter '${actual.name}' of '${name}' has ${written}; write '${parameter.annotations[0] ?? ""}'`,
    ];
  });
}

function isAnnotatedAs(annotation: string, allowed: readonly string[]): boolean {
  const bare = annotation.replace(/[\s"']/g, "").replace(/\[.*$/, "");
  return allowed.includes(bare.slice(bare.lastIndexOf(".") + 1));
}
