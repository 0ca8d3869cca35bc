/** Names of the resources between the server and a name that have policies of their own. */
interface PolicyScopes {
  /** `projects/p`; "" for names outside of projects. */
  readonly project: string;
  /** `projects/p/locations/l/apps/a` or `…/dataAgents/d`; "" for names outside of both. */
  readonly resource: string;
}

const NONE: PolicyScopes = { project: "", resource: "" };

const PROJECTS = "projects/";
const LOCATIONS = "/locations/";

/** Collections below a location whose resources have policies. */
const COLLECTIONS_WITH_POLICIES: ReadonlySet<string> = new Set(["apps", "dataAgents"]);

/**
 * The scopes of a name (IAM-2). What is below an app or a data agent is in its scope, and locations have no policies of their own. Without a
 * regular expression: it is called for each decision.
 */
export function policyScopes(name: string): PolicyScopes {
  if (!name.startsWith(PROJECTS) || name.length === PROJECTS.length) return NONE;
  const afterProject = segmentEnd(name, PROJECTS.length);
  const project = name.slice(0, afterProject);
  if (!name.startsWith(LOCATIONS, afterProject)) return { project, resource: "" };
  const afterLocation = segmentEnd(name, afterProject + LOCATIONS.length);
  const afterCollection = segmentEnd(name, afterLocation + 1);
  if (!COLLECTIONS_WITH_POLICIES.has(name.slice(afterLocation + 1, afterCollection))) return { project, resource: "" };
  if (afterCollection + 1 >= name.length) return { project, resource: "" };
  return { project, resource: name.slice(0, segmentEnd(name, afterCollection + 1)) };
}

/** The position of the slash after the segment that begins here, or the end of the name. */
function segmentEnd(name: string, start: number): number {
  const slash = name.indexOf("/", start);
  return slash < 0 ? name.length : slash;
}

/** Whether everything below a parent is in one app or data agent, so that the right to list it is that of the parent. */
export function isBelowPolicies(parent: string): boolean {
  const { resource } = policyScopes(parent);
  return resource !== "" && !resource.endsWith("/-");
}

/** Whether a name is another one or below it. Everything is below "". */
export function isWithin(name: string, ancestor: string): boolean {
  if (ancestor === "" || name === ancestor) return true;
  return name.length > ancestor.length && name.startsWith(ancestor) && name[ancestor.length] === "/";
}

/** The part of a name before its first wildcard segment: `projects/p/locations/-/apps/-` gives `projects/p/locations`. */
export function beforeWildcard(name: string): string {
  const segments = name.split("/");
  const wildcard = segments.indexOf("-");
  return wildcard < 0 ? name : segments.slice(0, wildcard).join("/");
}
