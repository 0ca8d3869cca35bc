import { textInAddress } from "../../api/text-in-address.ts";

/** What is changed of a resource, as entries of the changelog name it. */
export const ACTIONS = ["Create", "Update", "Delete"] as const;

/** Kinds of resources, as entries of the changelog name them. */
export const KINDS = [
  "App",
  "Agent",
  "Tool",
  "Toolset",
  "Guardrail",
  "Example",
  "AppVersion",
  "Deployment",
  "Evaluation",
  "ScheduledEvaluationRun",
] as const;

/** Which entries of the changelog are shown; an absent part matches each. */
export interface ChangelogSearch {
  /** Part of the display name. */
  readonly name?: string | undefined;
  /** Part of who changed it. */
  readonly author?: string | undefined;
  readonly action?: (typeof ACTIONS)[number] | undefined;
  readonly kind?: (typeof KINDS)[number] | undefined;
  /** One resource, by its name below the app (`agents/returns`); `app` is the app itself. */
  readonly resource?: string | undefined;
}

/** Reads the search out of the address of the page; what it does not know is left out. */
export function readChangelogSearch({
  name,
  author,
  action,
  kind,
  resource,
}: Record<string, unknown>): ChangelogSearch {
  return {
    name: textInAddress(name),
    author: textInAddress(author),
    action: ACTIONS.find((known) => known === action),
    kind: KINDS.find((known) => known === kind),
    resource: textInAddress(resource),
  };
}
