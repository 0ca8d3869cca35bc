import { createRegistry, type DescFile, type Registry, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { file_google_rpc_error_details } from "@frontdesk/protos/google/rpc/error_details";
import type { ServiceRegistration } from "#rpc";

/** A file of the definitions. */
export interface DescribedFile {
  /** `google/cloud/ces/v1/app.proto` */
  readonly name: string;
  /** It as a FileDescriptorProto. */
  bytes(): Uint8Array;
  /** What it imports, and what that imports, each once. */
  imports(): readonly DescribedFile[];
}

/** The definitions of services, as clients ask for them. */
export interface FileIndex {
  /** Full names of the services. */
  readonly services: readonly string[];
  file(name: string): DescribedFile | undefined;
  /** The file of a service, method, message, field, choice, enum, enum value or extension, by its full name. */
  symbol(name: string): DescribedFile | undefined;
  extension(type: string, number: number): DescribedFile | undefined;
  /** Undefined for a type that is not known. */
  extensionNumbers(type: string): readonly number[] | undefined;
}

/** Reads the files of these services in all revisions, and what they import. */
export function createFileIndex(registrations: readonly ServiceRegistration[]): FileIndex {
  const services = registrations.flatMap(({ service, otherRevisions = [] }) => [service, ...otherRevisions]);
  const files = new Map<string, DescribedFile>();
  // Clients show the details of errors by their definitions, which no service imports.
  const descriptors = withImports([...services.map(({ file }) => file), file_google_rpc_error_details]);
  for (const file of descriptors) files.set(file.proto.name, describe(file, files));
  const types = createRegistry(...descriptors);
  const extensions = [...types].filter((type) => type.kind === "extension");
  const fileOf = (file: DescFile | undefined) => file && files.get(file.proto.name);
  return {
    services: [...new Set(services.map(({ typeName }) => typeName))].sort(),
    file: (name) => files.get(name),
    symbol: (name) => fileOf(fileOfSymbol(name, types)),
    extension: (type, number) =>
      fileOf(extensions.find((each) => each.extendee.typeName === type && each.number === number)?.file),
    extensionNumbers: (type) =>
      types.getMessage(type) &&
      extensions
        .filter(({ extendee }) => extendee.typeName === type)
        .map(({ number }) => number)
        .sort((a, b) => a - b),
  };
}

function describe(file: DescFile, files: ReadonlyMap<string, DescribedFile>): DescribedFile {
  let bytes: Uint8Array | undefined;
  return {
    name: file.proto.name,
    bytes: () => {
      bytes ??= toBinary(FileDescriptorProtoSchema, file.proto);
      return bytes;
    },
    imports: () => withImports(file.dependencies).flatMap(({ proto }) => files.get(proto.name) ?? []),
  };
}

/** Files and what they import, each once. */
function withImports(files: readonly DescFile[]): readonly DescFile[] {
  const found = new Map<string, DescFile>();
  const collect = (file: DescFile): void => {
    if (found.has(file.proto.name)) return;
    found.set(file.proto.name, file);
    for (const dependency of file.dependencies) collect(dependency);
  };
  for (const file of files) collect(file);
  return [...found.values()];
}

/** A member has the name of its type before its own; a value of an enum has the name of what the enum is in. */
function fileOfSymbol(name: string, types: Registry): DescFile | undefined {
  const type = types.get(name);
  if (type) return type.file;
  const dot = name.lastIndexOf(".");
  const scope = name.slice(0, dot);
  const member = name.slice(dot + 1);
  const around = types.get(scope);
  if (around?.kind === "service") return around.methods.some((each) => each.name === member) ? around.file : undefined;
  if (around?.kind === "message" && around.members.some((each) => each.name === member)) return around.file;
  for (const each of types)
    if (each.kind === "enum" && parentOf(each.typeName) === scope && each.values.some((value) => value.name === member))
      return each.file;
  return undefined;
}

function parentOf(typeName: string): string {
  return typeName.slice(0, Math.max(0, typeName.lastIndexOf(".")));
}
