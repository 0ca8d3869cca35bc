import type { ToolDeclaration } from "#tools";

/** The `tool_identifier` of recorded calls and responses: the tool's resource name; none for what does not exist. */
export function toolIdentifier(declaration: Pick<ToolDeclaration, "tool"> | undefined): {
  readonly toolIdentifier?: { readonly case: "tool"; readonly value: string };
} {
  return declaration?.tool ? { toolIdentifier: { case: "tool", value: declaration.tool } } : {};
}
