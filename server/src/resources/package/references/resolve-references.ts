import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { FieldViolation } from "#status";
import type { Kind } from "../kinds.ts";
import { DROP, rewriteStrings, type StringPlace } from "../message/rewrite-strings.ts";
import { isDependentList, referencedKind } from "./reference-fields.ts";

/** What a display name leads to. */
export type Target =
  | { readonly kind: "found"; readonly name: string }
  /** In the package, but not imported. */
  | { readonly kind: "left-out" }
  | { readonly kind: "missing" };

/** Looks a reference of a package up: by display name, system tool name, or full resource name. */
export type FindTarget = (kind: Kind, reference: string) => Target;

/** A message with resource names in place of display names, and what was in the way. */
export interface Resolved<Schema extends DescMessage> {
  /** Undefined when the message cannot do without something that is left out. */
  readonly message: MessageShape<Schema> | undefined;
  /** References to what is left out, each with its field. */
  readonly dropped: readonly { readonly path: string; readonly reference: string; readonly kind: Kind }[];
  /** References to nothing, as violations naming file and field. */
  readonly dangling: readonly FieldViolation[];
}

/** Resolves the references of one message; `manifest` is its file. */
export function resolveReferences<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
  manifest: string,
  find: FindTarget,
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

/** The hosted product's own words (PKG-10). */
function notFoundText({ type }: Kind, reference: string): string {
  return `Reference '${reference}' of type '${type}' not found.`;
}
