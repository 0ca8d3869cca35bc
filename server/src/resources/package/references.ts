import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { idOf } from "#aip";
import type { FieldViolation } from "#status";
import type { AppTree } from "../contract.ts";
import { isSystemToolName } from "../system-tools.ts";
import { isDependentList, referencedKind } from "./field-tables.ts";
import { KINDS, type Kind, type PackagedResource } from "./kinds.ts";
import { DROP, rewriteStrings, type StringPlace } from "./rewrite-strings.ts";

/** The result of looking up a reference. */
export type Target =
  | { readonly kind: "found"; readonly name: string }
  /** In the package, but not imported. */
  | { readonly kind: "omitted" }
  | { readonly kind: "missing" };

/** Looks up a reference of a package: a display name, the name of a system tool, or a full resource name. */
export type ReferenceLookup = (kind: Kind, reference: string) => Target;

/** A message with resource names instead of display names, and the references that were not resolved. */
export interface Resolved<Schema extends DescMessage> {
  /** Undefined when the message requires a resource that is omitted. */
  readonly message: MessageShape<Schema> | undefined;
  /** References to omitted resources, each with its field. */
  readonly dropped: readonly { readonly path: string; readonly reference: string; readonly kind: Kind }[];
  /** Dangling references, as violations with file and field. */
  readonly dangling: readonly FieldViolation[];
}

/** Resolves the references of one message; `manifest` is its file. */
export function resolveReferences<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
  manifest: string,
  find: ReferenceLookup,
): Resolved<Schema> {
  const dropped: { path: string; reference: string; kind: Kind }[] = [];
  const dangling: FieldViolation[] = [];
  const resolve = (place: StringPlace): string | typeof DROP | undefined => {
    const kind = referencedKind(place.field);
    if (!kind || place.value === "") return undefined;
    const target = find(kind, place.value);
    if (target.kind === "found") return target.name;
    if (target.kind === "missing") {
      dangling.push({ field: `${manifest}: ${place.path}`, description: notFoundText(kind, place.value) });
      return undefined;
    }
    dropped.push({ path: place.path, reference: place.value, kind });
    return DROP;
  };
  return { message: rewriteStrings(schema, message, resolve, isDependentList), dropped, dangling };
}

/** The hosted product's message (PKG-10). */
function notFoundText({ type }: Kind, reference: string): string {
  return `Reference '${reference}' of type '${type}' not found.`;
}

/** Display names by resource name. */
export type DisplayNameOf = ReadonlyMap<string, string>;

/** The display names of all resources of an app. */
export function displayNamesOfTree(tree: AppTree): DisplayNameOf {
  return new Map(
    KINDS.flatMap(({ part }) => {
      const resources: readonly PackagedResource[] = tree[part];
      return resources.map(({ name, displayName }) => [name, displayName || idOf(name)] as const);
    }),
  );
}

/**
 * A copy of a message with display names instead of resource names (PKG-10). A system tool is its id; a dangling
 * reference stays as it is, since invalid evaluations are exported too.
 */
export function nameReferences<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
  displayNames: DisplayNameOf,
): MessageShape<Schema> {
  const named = rewriteStrings(schema, message, ({ field, value }) => {
    const kind = referencedKind(field);
    if (!kind) return undefined;
    const systemTool = kind.part === "tools" && isSystemToolName(idOf(value)) ? idOf(value) : undefined;
    return displayNames.get(value) ?? systemTool;
  });
  return named ?? message;
}
