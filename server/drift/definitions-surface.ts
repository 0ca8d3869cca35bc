import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  createFileRegistry,
  type DescField,
  type DescMessage,
  type DescMethod,
  type FileRegistry,
  fromBinary,
  ScalarType,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { httpRuleOf } from "#aip";

const require = createRequire(join(import.meta.dirname, "..", "..", "scripts", "package.json"));

/** The folder of `google-proto-files`, which has what other definitions import. */
const PROTO_FILES = dirname(require.resolve("google-proto-files/package.json"));

/** Compiles all `.proto` files of folders below a root; a folder that does not exist has none. Imports are looked for below the root and in `google-proto-files`. */
export function compileDefinitions(root: string, folders: readonly string[]): FileRegistry {
  const present = folders.filter((folder) => existsSync(join(root, folder)));
  if (present.length === 0) return createFileRegistry();
  const files = present.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".proto"))
      .map((name) => `${folder}/${name}`),
  );
  const scratch = mkdtempSync(join(tmpdir(), "definitions-"));
  try {
    const set = join(scratch, "set.binpb");
    const protoc = join(dirname(require.resolve("protoc/package.json")), "protoc.cjs");
    const args = [protoc, "-I", root, "-I", PROTO_FILES, "--include_imports", `--descriptor_set_out=${set}`, ...files];
    const done = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (done.status !== 0) throw new Error(`protoc failed: ${done.stderr || done.error?.message}`);
    return createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(set)));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** The wire contract of the packages with a prefix, one line for each field, value of an enum and method. */
export function definitionFacts(types: Iterable<DescType>, prefix: string): readonly string[] {
  return [...types].filter(({ typeName }) => typeName.startsWith(prefix)).flatMap(factsOf);
}

function factsOf(type: DescType): readonly string[] {
  switch (type.kind) {
    case "message":
      return messageFacts(type);
    case "enum":
      return type.values.map(({ name, number }) => `value ${type.typeName}.${name} = ${number}`);
    case "service":
      return type.methods.map(methodFact);
    case "extension":
      return [];
  }
}

type DescType = ReturnType<FileRegistry[typeof Symbol.iterator]> extends IterableIterator<infer T> ? T : never;

function messageFacts({ typeName, fields }: DescMessage): readonly string[] {
  return [
    `message ${typeName}`,
    ...fields.map((field) => `field ${typeName}.${field.name} = ${field.number}: ${typeOf(field)}${choiceOf(field)}`),
  ];
}

function choiceOf({ oneof }: DescField): string {
  return oneof ? ` of ${oneof.name}` : "";
}

function typeOf(field: DescField): string {
  const one =
    field.message?.typeName ?? field.enum?.typeName ?? (field.scalar && ScalarType[field.scalar]?.toLowerCase());
  switch (field.fieldKind) {
    case "list":
      return `repeated ${one}`;
    case "map":
      return `map<${ScalarType[field.mapKey]?.toLowerCase()}, ${one}>`;
    default:
      return String(one);
  }
}

function methodFact(method: DescMethod): string {
  const { parent, name, input, output, methodKind } = method;
  const rule = httpRuleOf(method);
  const paths = rule ? [rule, ...rule.additionalBindings].map(({ pattern }) => `${pattern.case} ${pattern.value}`) : [];
  return `method ${parent.typeName}.${name}: ${methodKind} ${input.typeName} -> ${output.typeName} ${paths.join(", ")}`.trim();
}
