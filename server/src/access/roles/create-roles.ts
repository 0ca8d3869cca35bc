import { PREDEFINED_ROLES } from "./predefined-roles.ts";
import { createRole, PERMISSION_PATTERN, type Role, type RoleDefinition } from "./role.ts";

/** The roles of a server, by name. */
export interface Roles {
  readonly names: readonly string[];
  find(name: string): Role | undefined;
}

/** The names of roles of the operator's own. */
const CUSTOM_ROLE = /^roles\/[a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9]+)*$/;

/** The predefined roles and the operator's. Throws `fault(sentence)` for a role that cannot be meant. */
export function createRoles(
  custom: Readonly<Record<string, RoleDefinition>> = {},
  fault: (sentence: string) => Error = Error,
): Roles {
  const definitions: Readonly<Record<string, RoleDefinition>> = { ...PREDEFINED_ROLES, ...custom };
  const roles = new Map<string, Role>();

  const build = (name: string, users: readonly string[]): Role => {
    const known = roles.get(name);
    if (known) return known;
    const definition = definitions[name];
    const user = users.at(-1) ?? name;
    if (!definition) throw fault(`The role ${user} includes ${name}, which is no role.`);
    if (users.includes(name)) throw fault(`The role ${name} includes itself, by ${users.join(", ")}.`);
    const included = (definition.includes ?? []).map((each) => build(each, [...users, name]));
    const role = createRole(name, definition, included);
    roles.set(name, role);
    return role;
  };

  for (const [name, definition] of Object.entries(custom)) checkCustom(name, definition, fault);
  for (const name of Object.keys(definitions)) build(name, []);
  return { names: [...roles.keys()], find: (name) => roles.get(name) };
}

function checkCustom(
  name: string,
  { permissions, except = [] }: RoleDefinition,
  fault: (sentence: string) => Error,
): void {
  if (name in PREDEFINED_ROLES) throw fault(`The role ${name} is a predefined one; give yours another name.`);
  if (!CUSTOM_ROLE.test(name))
    throw fault(`The role '${name}' must be called roles/ and a name, e.g. roles/acme.supervisor.`);
  const malformed = [...permissions, ...except].find((each) => !PERMISSION_PATTERN.test(each));
  if (malformed === undefined) return;
  throw fault(
    `The role ${name} has the permission '${malformed}'; write one such as ces.apps.get, ces.*.get or ces.tools.*.`,
  );
}
