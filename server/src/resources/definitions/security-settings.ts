import { type SecuritySettings, SecuritySettingsSchema } from "@frontdesk/protos/ces/security_settings";
import type { ResourceStore } from "#storage";
import { defineResource } from "../define-resource.ts";
import { fromRow } from "../resource.ts";

/** Security settings: one of each location, there from the start with everything unset. */
export const securitySettings = defineResource(SecuritySettingsSchema, "location");

/** The settings of an app's location; undefined where nobody has set any. */
export async function storedSecuritySettings(
  app: string,
  store: Pick<ResourceStore, "get">,
): Promise<SecuritySettings | undefined> {
  const row = await store.get(`${app.split("/").slice(0, 4).join("/")}/securitySettings`);
  return row && (fromRow(SecuritySettingsSchema, row) as unknown as SecuritySettings);
}
