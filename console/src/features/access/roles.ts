import { PREDEFINED_ROLES } from "../../../../server/src/access/roles/predefined-roles.ts";
import type { Choice } from "../../components/field.tsx";

/** Stands for a role that the server's configuration makes. */
export const OTHER_ROLE = "";

/** The roles that every server has, by the code of the server. */
export const ROLES: readonly Choice<string>[] = [
  ...Object.entries(PREDEFINED_ROLES).map(([value, { title }]) => ({ value, label: value, description: title })),
  { value: OTHER_ROLE, label: "Another role", description: "A role of this server's configuration" },
];
