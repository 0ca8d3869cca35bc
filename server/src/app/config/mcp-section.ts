import { z } from "zod";
import { definedFields } from "#base";
import type { AuthenticationSettings } from "#identity";
import type { OAuthConfig } from "#protocols";
import { OriginSchema } from "./auth-section.ts";
import { requireAllRead } from "./config-values.ts";

/** The section `mcp` of the config file. */
export const McpSectionSchema = z.strictObject({
  dryRun: z.boolean().optional(),
  issuers: z.array(z.url()).min(1).optional(),
  scopes: z.array(z.string().min(1)).optional(),
  origin: OriginSchema.optional(),
});

/** Settings of the MCP endpoints. */
export interface McpConfig {
  /** Makes every call a dry run, also without `dry_run` in the URL. Default false. */
  readonly dryRun: boolean;
  /** Authorization servers. Default none. */
  readonly oauth?: OAuthConfig;
}

/** The section as settings of the endpoints. Where callers must be known, those who vouch for them issue the tokens of MCP clients too. */
export function mcpConfig(section: z.infer<typeof McpSectionSchema> = {}, auth: AuthenticationSettings): McpConfig {
  const { dryRun = false, issuers: given, scopes: asked, origin: own, ...unread } = section;
  requireAllRead(unread);
  const known = auth.mode === "required" ? auth.issuers.map(({ issuer }) => issuer) : [];
  const issuers = given ?? known;
  if (issuers.length === 0) return { dryRun };
  const named = Object.keys(auth.scopes);
  const scopes = asked ?? (named.length > 0 ? named : undefined);
  const origin = own ?? auth.origin;
  return { dryRun, oauth: { issuers, ...definedFields({ scopes, origin }) } };
}
