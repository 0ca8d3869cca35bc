import { type SecuritySettings, SecuritySettingsSchema } from "@frontdesk/protos/ces/security_settings";
import { locationOf } from "#aip";
import type { ResourceStore } from "#storage";
import { defineResource } from "../define-resource.ts";
import { fromRow } from "../resource.ts";

/** Security settings: a singleton per location, which exists with all fields unset before it is written. */
export const securitySettings = defineResource(SecuritySettingsSchema, "location");

/** The settings of an app's location; undefined where they were never set. */
export async function storedSecuritySettings(
  app: string,
  store: Pick<ResourceStore, "get">,
): Promise<SecuritySettings | undefined> {
  const row = await store.get(`${locationOf(app)}/securitySettings`);
  return row && (fromRow(SecuritySettingsSchema, row) as unknown as SecuritySettings);
}
