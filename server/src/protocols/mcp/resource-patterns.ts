import {
  type DescField,
  type DescMessage,
  getOption,
  hasOption,
  type Registry as TypeRegistry,
} from "@bufbuild/protobuf";
import {
  type ResourceDescriptor,
  resource,
  resource_definition,
  resource_reference,
} from "@frontdesk/protos/google/api/resource";

/** The format of the resource name in a field. */
interface NameFormat {
  /** `Agent`. */
  readonly noun: string;
  /** `projects/{project}/locations/{location}/apps/{app}/agents/{agent}`. */
  readonly pattern: string;
}

/** The format of the resource name in a field; undefined for other fields. */
export type NameFormats = (field: DescField) => NameFormat | undefined;

/** Collects the resource patterns of all message types (google/api/resource.proto). */
export function createNameFormats(types: TypeRegistry): NameFormats {
  const patterns = new Map<string, string>();
  const add = ({ type, pattern }: ResourceDescriptor): void => {
    if (type && pattern[0] && !patterns.has(type)) patterns.set(type, pattern[0]);
  };
  for (const type of types) {
    if (type.kind !== "message") continue;
    if (hasOption(type, resource)) add(getOption(type, resource));
    for (const definition of getOption(type.file, resource_definition)) add(definition);
  }
  return (field) => {
    const { type, childType } = hasOption(field, resource_reference)
      ? getOption(field, resource_reference)
      : ownType(field);
    const pattern = type ? patterns.get(type) : parentPattern(patterns.get(childType));
    return pattern === undefined ? undefined : { noun: nounOf(type, pattern), pattern };
  };
}

/** The `name` of a resource has the type of the resource. */
function ownType({ name, parent }: DescField): { readonly type: string; readonly childType: string } {
  return {
    type:
      name === "name" && hasOption(parent as DescMessage, resource)
        ? getOption(parent as DescMessage, resource).type
        : "",
    childType: "",
  };
}

function parentPattern(pattern: string | undefined): string | undefined {
  return pattern?.split("/").slice(0, -2).join("/");
}

function nounOf(type: string, pattern: string): string {
  const noun = type.split("/")[1] ?? pattern.split("/").at(-1)?.replace(/[{}]/g, "") ?? "";
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}
