import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { idOf } from "#aip";
import type { AppTree } from "../../contract.ts";
import { isSystemToolName } from "../../system-tools.ts";
import { KINDS, type PackagedResource } from "../kinds.ts";
import { rewriteStrings } from "../message/rewrite-strings.ts";
import { referencedKind } from "./reference-fields.ts";

/** Display names by resource name. */
export type DisplayNameOf = ReadonlyMap<string, string>;

/** The display names of everything in an app. */
export function displayNamesOfTree(tree: AppTree): DisplayNameOf {
  return new Map(
    KINDS.flatMap(({ part }) => {
      const resources: readonly PackagedResource[] = tree[part];
      return resources.map(({ name, displayName }) => [name, displayName || idOf(name)] as const);
    }),
  );
}

/**
 * A copy of a message with display names in place of resource names (PKG-10). A system tool is its own name; a
 * reference to nothing stays as it is, for an invalid evaluation is exported, too.
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
