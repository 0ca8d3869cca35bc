import { ChangelogSchema } from "@frontdesk/protos/ces/changelog";
import { defineResource } from "../define-resource.ts";

/** The change log: written with every change, read only. */
export const changelogs = defineResource(ChangelogSchema, "log", {
  order: { fields: ["name", "create_time"], descendingByDefault: [], fallback: "name desc" },
  filterAliases: { resource_name: "resource" },
});
