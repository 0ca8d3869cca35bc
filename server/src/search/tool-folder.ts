import { createHash } from "node:crypto";

/** A file search tool: resource name of its app and its own display name. */
export interface ToolKey {
  readonly app: string;
  readonly tool: string;
}

/**
 * The folder of a tool's files, relative to `search.files`: `<project>/<location>/<app id>/<tool name>`. Where a name has characters that are not
 * allowed in folder names, they are replaced and a digest of the name follows: no two tools share a folder (TOOL-34).
 */
export function toolFolder({ app, tool }: ToolKey): string {
  const [, project = "", , location = "", , id = ""] = app.split("/");
  return [project, location, id, tool].map(folderName).join("/");
}

function folderName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N} _-]/gu, "_") || "_";
  return plain === name ? plain : `${plain}~${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
}
