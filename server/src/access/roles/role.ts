/** A named set of permissions. */
export interface Role {
  /** E.g. `roles/ces.viewer`. */
  readonly name: string;
  /** In a few words. */
  readonly title: string;
  grants(permission: string): boolean;
}

/** The permissions of a role: names, or patterns in which `*` stands for one part (`ces.*.get`), at the end for all (`ces.*`). */
export interface RoleDefinition {
  readonly title: string;
  readonly permissions: readonly string[];
  /** Patterns of what the role does not have. Default none. */
  readonly except?: readonly string[];
  /** Names of roles whose permissions it has too. Default none. */
  readonly includes?: readonly string[];
}

/** Creates a role. Answers are kept, because there are as many as permissions. `included`: the roles of `definition.includes`. */
export function createRole(name: string, definition: RoleDefinition, included: readonly Role[] = []): Role {
  const { title, permissions, except = [] } = definition;
  const own = permissions.map(toExpression);
  const excluded = except.map(toExpression);
  const known = new Map<string, boolean>();
  const decide = (permission: string): boolean => {
    const matches = (pattern: RegExp) => pattern.test(permission);
    if (excluded.some(matches)) return false;
    return own.some(matches) || included.some((role) => role.grants(permission));
  };
  return {
    name,
    title,
    grants(permission) {
      let granted = known.get(permission);
      if (granted === undefined) {
        granted = decide(permission);
        if (known.size < MAX_KEPT) known.set(permission, granted);
      }
      return granted;
    },
  };
}

/** Answers that a role keeps; TestIamPermissions may ask for any text. */
const MAX_KEPT = 1_000;

/** The form of permissions and of their patterns. */
export const PERMISSION_PATTERN = /^(?:\*|[a-z][A-Za-z]*(?:\.(?:[A-Za-z]+|\*)){1,3})$/;

function toExpression(pattern: string): RegExp {
  const parts = pattern.split(".").map((part) => (part === "*" ? "[^.]+" : part));
  return new RegExp(`^${parts.join("\\.")}${pattern.endsWith("*") ? "(?:\\..+)?" : ""}$`);
}
