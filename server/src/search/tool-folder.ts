/** A file search tool: resource name of its app and its own display name. */
export interface ToolKey {
  readonly app: string;
  readonly tool: string;
}

/**
 * The folder of a tool's files, relative to `search.files`: `<project>/<location>/<app id>/<tool name>`. Characters that are not allowed in
 * folder names are replaced.
 */
export function toolFolder({ app, tool }: ToolKey): string {
  const [, project = "", , location = "", , id = ""] = app.split("/");
  return [project, location, id, tool].map((name) => name.replace(/[^\p{L}\p{N} _-]/gu, "_") || "_").join("/");
}
