import type { Registry } from "#rpc";
import { ANALYTICS, CES } from "../src/protocols/mcp/surface.ts";
import { createToolCatalog } from "../src/protocols/mcp/tool-catalog.ts";
import { cell, code, paragraphs, type ReferencePage, table } from "./markdown.ts";

interface Listing {
  readonly description?: string;
  readonly inputSchema?: {
    readonly properties?: Readonly<Record<string, { readonly type?: string; readonly description?: string }>>;
    readonly required?: readonly string[];
  };
}

/** A page for each tool of the MCP endpoints, as `tools/list` describes it to models. */
export function mcpPages(registry: Registry): readonly ReferencePage[] {
  return [CES, ANALYTICS].flatMap((surface) =>
    [...createToolCatalog(registry, surface).values()].map((tool) => {
      const listing = tool.listing({ schemas: "portable", outputs: false }) as Listing;
      const path = `reference/mcp/${surface === CES ? "" : "analytics/"}${tool.name}`;
      return { path, title: tool.name, text: toolPage(tool.name, surface.path, path, listing) };
    }),
  );
}

function toolPage(name: string, endpoint: string, path: string, { description = "", inputSchema }: Listing): string {
  const { properties = {}, required = [] } = inputSchema ?? {};
  const up = "../".repeat(path.split("/").length - 1);
  return paragraphs(
    `# MCP tool ${name}`,
    `For clients of the MCP endpoint ${code(endpoint)}. ${cell(description)}`,
    "## Arguments",
    table(
      ["argument", "type", "meaning"],
      Object.entries(properties).map(([argument, { type = "any", description: meaning = "" }]) => [
        code(argument),
        `${type}${required.includes(argument) ? ", required" : ""}`,
        cell(meaning),
      ]),
    ) || "None.",
    `How to connect a client, and how calls behave: [MCP](${up}mcp.md).`,
  );
}
