import type { CommandInput } from "../command.ts";

/** The words of `--tags`, separated by commas; none without it. */
export function tagsOf({ flags: { tags } }: Pick<CommandInput, "flags">): readonly string[] {
  return typeof tags === "string" ? tags.split(",").map((tag) => tag.trim()) : [];
}
