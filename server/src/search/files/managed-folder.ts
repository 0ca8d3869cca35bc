/** A file search tool by its app's resource name and its own display name. */
export interface ToolPlace {
  readonly app: string;
  readonly tool: string;
}

/**
 * Where a tool's files lie below the folder of all: `<project>/<location>/<app id>/<tool name>`. Apps of other projects have other files.
 * Names become one folder each, whatever is in them.
 */
export function managedFolder({ app, tool }: ToolPlace): string {
  const [, project = "", , location = "", , id = ""] = app.split("/");
  return [project, location, id, tool].map((name) => name.replace(/[^\p{L}\p{N} _-]/gu, "_") || "_").join("/");
}
