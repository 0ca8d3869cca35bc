import { isAmongApps } from "#base";
import { entryForName } from "./name-pattern.ts";
import type { SearchConfig } from "./search-config.ts";

/**
 * Why an app may not search a mapped data store or corpus (TOOL-44), without a full stop; undefined where it may, and for names that are not mapped.
 */
export function closedTo(
  app: string,
  name: string,
  section: "dataStores" | "corpora",
  config: Pick<SearchConfig, "dataStores" | "corpora" | "apps">,
): string | undefined {
  const key = entryForName<unknown>(config[section], name)?.[0];
  if (key === undefined || isAmongApps(app, config.apps?.[key])) return undefined;
  const kind = section === "corpora" ? "corpus" : "data store";
  return `The ${kind} '${name}' is not open to the app '${app}': the operator can add it to search.${section}.${key}.apps in the configuration file`;
}
