import { relative, sep } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { CALLBACKS, createFindings, findManifests } from "#resources";
import type { Sandbox } from "#sandbox";
import type { ParsedPython } from "../python/python-facts.ts";
import { readPythonFacts } from "../python/read-python-facts.ts";
import { objectOf, parseStructured } from "./document.ts";
import type {
  DeclaredVariable,
  LintedAgent,
  LintedApp,
  LintedCallback,
  LintedResource,
  LintedTool,
} from "./linted-app.ts";
import type { Location } from "./locate-app.ts";
import { keyOf, listField, objectField, textField, textsField } from "./manifest-fields.ts";
import { readTextFiles } from "./read-files.ts";
import type { SourceText } from "./source-text.ts";

type Files = ReadonlyMap<string, SourceText>;

/** Reads everything that rules look at, Python in the sandbox. */
export async function readApp(
  location: Location,
  sandbox: Sandbox,
  given: Pick<LintedApp, "imported" | "personalData">,
): Promise<LintedApp> {
  const { root, prefix, evaluations } = location;
  const files = await readTextFiles(`${root}/${prefix}`, prefix);
  const shown = `${relative(root, evaluations).split(sep).join("/")}/`;
  const evaluationFiles = await readTextFiles(evaluations, shown);
  const app = ["app.json", "app.yaml", "app.yml"].flatMap((path) => resource(files.get(path), "") ?? [])[0];
  const resources = resourcesByKind(files);
  const part = (name: string) => resources.get(name) ?? [];
  return {
    app,
    agents: part("agents").map((agent) => readAgent(agent, files)),
    tools: part("tools").map((tool) => readTool(tool, files)),
    toolsets: part("toolsets"),
    guardrails: part("guardrails"),
    evaluations: part("evaluations"),
    expectations: part("evaluationExpectations"),
    globalInstruction: files.get(textField(app?.manifest ?? {}, "globalInstruction") || "global_instruction.txt"),
    evaluationFiles: [...evaluationFiles.values()]
      .filter(({ file }) => /\.ya?ml$/.test(file))
      .map((source) => parseStructured(source)),
    variables: declaredVariables(app?.manifest ?? {}),
    files,
    prefix,
    python: await readPython(files, sandbox),
    ...given,
  };
}

function readPython(files: Files, sandbox: Sandbox): Promise<ReadonlyMap<string, ParsedPython>> {
  const isCode = (path: string) => path.endsWith(".py") && !/(?:^|\/)(?:test|conftest)(?:_\w+)?\.py$/.test(path);
  const code = [...files].filter(([path]) => isCode(path)).map(([path, { text }]) => [path, text] as const);
  return readPythonFacts(new Map(code), sandbox);
}

function resourcesByKind(files: Files): ReadonlyMap<string, readonly LintedResource[]> {
  // Only paths are read of the files; the import reports what is odd about them.
  const paths = new Map([...files.keys()].map((path) => [path, new Uint8Array()]));
  const found = new Map<string, LintedResource[]>();
  for (const { kind, folder, path } of findManifests(paths, createFindings()).places) {
    const read = resource(files.get(path), folder);
    if (!read) continue;
    const known = found.get(kind.part);
    if (known) known.push(read);
    else found.set(kind.part, [read]);
  }
  return found;
}

function resource(source: SourceText | undefined, folder: string): LintedResource | undefined {
  if (!source) return undefined;
  const document = parseStructured(source);
  const manifest = objectOf(document);
  return { folder, document, manifest, displayName: textField(manifest, "displayName") || folder };
}

function readAgent(agent: LintedResource, files: Files): LintedAgent {
  const { manifest, folder } = agent;
  const named = files.get(textField(manifest, "instruction"));
  return {
    ...agent,
    instruction: named ?? files.get(`agents/${folder}/instruction.txt`),
    tools: textsField(manifest, "tools"),
    toolsets: listField(manifest, "toolsets")
      .filter(isJsonObject)
      .map((entry) => textField(entry, "toolset")),
    callbacks: Object.keys(CALLBACKS).flatMap((stage) => readCallbacks(manifest, stage, files)),
  };
}

function readCallbacks(manifest: JsonObject, stage: string, files: Files): readonly LintedCallback[] {
  const name = stage.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return listField(manifest, name)
    .filter(isJsonObject)
    .map((callback, index) => {
      const codePath = textField(callback, "pythonCode");
      return { stage, path: [keyOf(manifest, name), index] as const, codePath, code: files.get(codePath) };
    });
}

function readTool(tool: LintedResource, files: Files): LintedTool {
  const python = objectField(tool.manifest, "pythonFunction");
  return { ...tool, code: files.get(textField(python, "pythonCode")), entry: textField(python, "name") };
}

function declaredVariables(manifest: JsonObject): ReadonlyMap<string, DeclaredVariable> {
  const declared = listField(manifest, "variableDeclarations")
    .filter(isJsonObject)
    .map((entry) => variable(textField(entry, "name"), objectField(entry, "schema")));
  return new Map(declared.map((each) => [each.name, each]));
}

function variable(name: string, schema: JsonObject): DeclaredVariable {
  const properties = Object.entries(objectField(schema, "properties"))
    .filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1] as JsonValue))
    .map(([key, inner]) => [key, variable(key, inner)] as const);
  return { name, type: textField(schema, "type").toUpperCase(), properties: new Map(properties) };
}
