import { z } from "zod";
import type { OAuthConfig } from "#protocols";

/** The section `mcp` of the config file: what MCP clients are told and allowed. */
export const McpSectionSchema = z.strictObject({
  dryRun: z.boolean().optional(),
  issuers: z.array(z.url()).min(1).optional(),
  scopes: z.array(z.string().min(1)).optional(),
  origin: z.url().optional(),
});

/** What the MCP endpoints are told of this server. */
export interface McpConfig {
  /** Calls are checked and not made, whatever the address says. Default false. */
  readonly dryRun: boolean;
  /** Who issues tokens. Default nobody. */
  readonly oauth?: OAuthConfig;
}

/** The section as the endpoints take it. */
export function mcpConfig(section: z.infer<typeof McpSectionSchema> = {}): McpConfig {
  const { dryRun = false, issuers, scopes, origin } = section;
  if (!issuers) return { dryRun };
  const oauth = { issuers, ...(scopes && { scopes }), ...(origin && { origin: new URL(origin).origin }) };
  return { dryRun, oauth };
}
