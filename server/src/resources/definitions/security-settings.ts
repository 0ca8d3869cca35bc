import { SecuritySettingsSchema } from "@frontdesk/protos/ces/security_settings";
import { defineResource } from "../define-resource.ts";

/** Security settings: one of each location, there from the start with everything unset. */
export const securitySettings = defineResource(SecuritySettingsSchema, "location");
