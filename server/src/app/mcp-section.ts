import { z } from "zod";
import { definedFields } from "#base";
import type { OAuthConfig } from "#protocols";

/** The section `mcp` of the config file. */
export const McpSectionSchema = z.strictObject({
  dryRun: z.boolean().optional(),
  issuers: z.array(z.url()).min(1).optional(),
  scopes: z.array(z.string().min(1)).optional(),
  origin: z.url().optional(),
});

/** Settings of the MCP endpoints. */
export interface McpConfig {
  /** Makes every call a dry run, also without `dry_run` in the URL. Default false. */
  readonly dryRun: boolean;
  /** Authorization servers. Default none. */
  readonly oauth?: OAuthConfig;
}

/** The section as settings of the endpoints. */
export function mcpConfig(section: z.infer<typeof McpSectionSchema> = {}): McpConfig {
  const { dryRun = false, issuers, scopes, origin } = section;
  if (!issuers) return { dryRun };
  const oauth = { issuers, ...definedFields({ scopes }), ...(origin && { origin: new URL(origin).origin }) };
  return { dryRun, oauth };
}
