import { crc32 } from "node:zlib";
import type { HostileRequest } from "./hostile-requests.ts";

const PARENT = "projects/local/locations/us";

/** Files of a package by path below its folder; undefined leaves one out. */
type Files = Readonly<Record<string, string | undefined>>;

/** Imports that are hard to read, check or write: a long text of this length, or a hundredth of it in files. */
export function hostilePackages(length: number): readonly HostileRequest[] {
  const agent = { displayName: "root", instruction: "Answer." };
  const base: Files = {
    "app.json": JSON.stringify({ displayName: "Hostile", rootAgent: "root" }),
    "agents/root/root.json": JSON.stringify(agent),
  };
  const packages: Readonly<Record<string, () => Files>> = {
    "a long instruction": () => ({
      "agents/root/root.json": JSON.stringify({ ...agent, instruction: "agents/root/instruction.txt" }),
      "agents/root/instruction.txt": "Ask {{name}} for {@TOOL: x}. ".repeat(length / 30),
    }),
    "a long manifest": () => ({
      "agents/root/root.json": JSON.stringify({ ...agent, description: "word ".repeat(length / 5) }),
    }),
    "a manifest of many values": () => ({
      "agents/root/root.json": JSON.stringify({ ...agent, tools: Array.from({ length: length / 10 }, () => "t") }),
    }),
    "a manifest of many unknown fields": () => ({
      "agents/root/root.json": JSON.stringify({
        ...agent,
        ...Object.fromEntries(Array.from({ length: length / 20 }, (_, at) => [`unknown${at}`, 1])),
      }),
    }),
    "a manifest of repeated keys": () => ({
      "agents/root/root.json": `{"displayName":"root",${'"a":1,'.repeat(length / 6)}"instruction":"Answer."}`,
    }),
    "a manifest of levels": () => ({
      "agents/root/root.json": `{"displayName":"root","x":${"[".repeat(length / 2)}${"]".repeat(length / 2)}}`,
    }),
    "a manifest of a long run of slashes": () => ({
      "agents/root/root.json": JSON.stringify({ ...agent, instruction: `${"/".repeat(length)}.` }),
    }),
    "a manifest of empty lines": () => ({ "agents/root/root.json": `{${"\n".repeat(length)}` }),
    "YAML of byte order marks": () => ({
      "agents/root/root.json": undefined,
      "agents/root/root.yaml": "\uFEFF\r".repeat(length / 4),
    }),
    "a manifest that is no JSON": () => ({ "agents/root/root.json": `{"a":[${"[1,".repeat(length / 3)}` }),
    "YAML of many values": () => ({
      "agents/root/root.json": undefined,
      "agents/root/root.yaml": `displayName: root\ntools:\n${"- a\n".repeat(length / 4)}`,
    }),
    "YAML of repeated keys": () => ({
      "agents/root/root.json": undefined,
      "agents/root/root.yaml": `displayName: root\n${"a: 1\n".repeat(length / 5)}`,
    }),
    "YAML of levels": () => ({
      "agents/root/root.json": undefined,
      "agents/root/root.yaml": `displayName: root\nx: ${"[".repeat(length / 2)}${"]".repeat(length / 2)}\n`,
    }),
    "YAML of items inside items": () => ({
      "agents/root/root.json": undefined,
      "agents/root/root.yaml": `displayName: root\nx:\n  ${"- ".repeat(length / 2)}a\n`,
    }),
    "YAML of aliases": () => ({
      "agents/root/root.json": undefined,
      "agents/root/root.yaml": `displayName: root\na: &a [1,2,3]\nb: [${"*a,".repeat(length / 3)}]\n`,
    }),
    "YAML of aliases of aliases": () => ({
      "agents/root/root.json": undefined,
      "agents/root/root.yaml": `displayName: root\na0: &a0 [1,2,3,4,5,6,7,8,9]\n${Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]\n`).join("")}`,
    }),
    "YAML with errors": () => ({
      "agents/root/root.json": undefined,
      "agents/root/root.yaml": "a: b: c\n".repeat(length / 8),
    }),
    "an OpenAPI document of many operations": () => openApi(openApiDocument(length, false)),
    "an OpenAPI document in one line": () =>
      openApi(JSON.stringify({ openapi: "3.0.0", paths: {}, x: "a".repeat(length) })),
    "an OpenAPI document in YAML": () => openApi(openApiDocument(length, true)),
    "an OpenAPI document of levels": () =>
      openApi(`openapi: 3.0.0\npaths: {}\nx: ${"[".repeat(length / 2)}${"]".repeat(length / 2)}\n`),
    "an OpenAPI document of aliases": () =>
      openApi(`openapi: 3.0.0\npaths: {}\na: &a [1,2,3]\nb: [${"*a,".repeat(length / 3)}]\n`),
    "an OpenAPI document of servers": () =>
      openApi(`openapi: 3.0.0\nservers:\n${"- url: $env_var\n".repeat(length / 16)}paths: {}\n`),
    "Python of many lines": () => ({
      "tools/code/code.json": JSON.stringify({ pythonFunction: { name: "code", pythonCode: "tools/code/code.py" } }),
      "tools/code/code.py": `def code() -> dict:\n  "Does."\n${"  a = 1\n".repeat(length / 8)}`,
    }),
    "an environment of many values": () => ({
      "environment.json": JSON.stringify({
        tools: Object.fromEntries(Array.from({ length: length / 40 }, (_, at) => [`t${at}`, { pythonFunction: {} }])),
      }),
    }),
  };
  // Files of one package: at most the limit of entries.
  const count = Math.min(9_000, length / 100);
  const counts: Readonly<Record<string, () => Files>> = {
    "many agents": () =>
      resources(count / 3, "agents", (name) => JSON.stringify({ displayName: name, instruction: "a" })),
    "many agents of one name": () =>
      resources(count, "agents", () => JSON.stringify({ displayName: "same", instruction: "a" })),
    "many broken tools": () => resources(count, "tools", () => "{"),
    "many tools without a type": () => resources(count, "tools", (name) => JSON.stringify({ displayName: name })),
    "many folders without a manifest": () => resources(count, "tools", () => "", "txt"),
    "a chain of widgets": () =>
      resources(count / 3, "tools", (name) =>
        JSON.stringify({
          widgetTool: { name, dataMapping: { sourceToolName: `r${Number(name.slice(1)) + 1}`, mode: "FIELD_MAPPING" } },
        }),
      ),
    "many unused files": () => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}/a.txt`, "a"])),
    "many Python tools": () =>
      resources(count / 20, "tools", (name) =>
        JSON.stringify({ pythonFunction: { name, pythonCode: `def ${name}() -> dict:\n  "Does."\n  return {}\n` } }),
      ),
  };
  return [
    ...Object.entries({ ...packages, ...counts }).map(([name, files]) =>
      importOf(name, () => zipOf({ ...base, ...files() })),
    ),
    ...hostilePatches(length, base),
    importOf("65,000 entries", () =>
      zipOf(Object.fromEntries(Array.from({ length: 65_000 }, (_, at) => [`${at}`, ""]))),
    ),
    importOf("no zip", () => Buffer.alloc(length, "PK\u0005\u0006")),
  ];
}

/** Patches of a package of manifests with many values, and those that are hard themselves. */
function hostilePatches(length: number, base: Files): readonly HostileRequest[] {
  const list = (from: number) => Array.from({ length: 15_000 }, (_, at) => from + at);
  const manifests = () =>
    resources(length / 5_000, "agents", (name) =>
      JSON.stringify({ displayName: name, instruction: "a", tags: list(0) }),
    );
  const patches: Readonly<Record<string, readonly object[]>> = {
    "a patch of many manifests": [{ op: "test", path: "/app/displayName", value: "Hostile" }],
    "a patch that compares long lists": [{ op: "test", path: "/agents/r1/tags", value: list(7) }],
    "a patch that moves all manifests": Array.from({ length: 999 }, (_, at) => {
      const places = ["/agents", "/elsewhere"];
      return { op: "move", from: places[at % 2], path: places[(at + 1) % 2] };
    }),
    "a patch with a long pointer": [{ op: "add", path: "/a".repeat(length), value: 1 }],
  };
  return Object.entries(patches).map(([name, patch]) => {
    const request = importOf(name, () => zipOf({ ...base, ...manifests() }));
    return { ...request, body: () => ({ ...Object(request.body()), jsonPatchContent: JSON.stringify(patch) }) };
  });
}

function resources(count: number, part: string, content: (name: string) => string, ending = "json"): Files {
  const names = Array.from({ length: Math.ceil(count) }, (_, at) => `r${at}`);
  return Object.fromEntries(names.map((name) => [`${part}/${name}/${name}.${ending}`, content(name)]));
}

function openApi(schema: string): Files {
  return {
    "toolsets/api/api.json": JSON.stringify({
      displayName: "api",
      openApiToolset: { openApiSchema: "toolsets/api/schema.yaml" },
    }),
    "toolsets/api/schema.yaml": schema,
  };
}

/** A document of this length, whose operations use references and enums. */
function openApiDocument(length: number, asYaml: boolean): string {
  const operations = Array.from({ length: Math.ceil(length / 200) }, (_, at) => at);
  if (asYaml)
    return `openapi: 3.0.0\ninfo: {title: a, version: '1'}\npaths:\n${operations
      .map(
        (at) =>
          `  /p${at}:\n    get:\n      operationId: op${at}\n      summary: ${"word ".repeat(12)}\n      responses: {'200': {description: ok}}\n`,
      )
      .join("")}`;
  const item = (at: number) => ({
    get: {
      operationId: `op${at}`,
      summary: "word ".repeat(12),
      responses: { 200: { $ref: "#/components/responses/ok" } },
    },
  });
  return JSON.stringify({
    openapi: "3.0.0",
    info: { title: "a", version: "1" },
    paths: Object.fromEntries(operations.map((at) => [`/p${at}`, item(at)])),
  });
}

let imports = 0;

export function importOf(
  name: string,
  content: () => Uint8Array,
  appId = `hostile-import-${imports++}`,
): HostileRequest {
  return {
    group: "imports",
    name: `import: ${name}`,
    path: `/v1beta/${PARENT}/apps:importApp`,
    body: () => ({ appId, appContent: Buffer.from(content()).toString("base64") }),
  };
}

/** A zip with these files in one folder, not compressed. */
export function zipOf(files: Files): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    if (text === undefined) continue;
    const name = Buffer.from(`hostile/${path}`);
    const plain = Buffer.from(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt32LE(crc32(plain), 10);
    common.writeUInt32LE(plain.length, 14);
    common.writeUInt32LE(plain.length, 18);
    common.writeUInt16LE(name.length, 22);
    const body = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, name, plain]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), common, place, name);
    bodies.push(body);
    offset += body.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006");
  end.writeUInt16LE(bodies.length, 8);
  end.writeUInt16LE(bodies.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, entries, end]);
}
