import { clone } from "@bufbuild/protobuf";
import { type App, AppSchema } from "@frontdesk/protos/ces/app";
import { idOf } from "#aip";
import type { Clock, Ids } from "#base";
import type { Findings } from "../findings.ts";
import type { Before } from "./assign-names.ts";

/** Where names come from that nobody gave. */
export interface Naming {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Display names of the apps of a location. */
  readonly appDisplayNames: (parent: string) => Promise<readonly string[]>;
}

/**
 * The app as it will be written: the manifest's content under the target's name. An existing app keeps its display name,
 * its lock and its pin; a new one gets a time stamp behind its name when another app of the location has it already
 * (`ImportAppRequest.display_name`).
 */
export async function appMessage(
  manifest: App,
  displayName: string,
  { app: name, tree }: Before,
  naming: Naming,
  findings: Findings,
): Promise<App> {
  const app = clone(AppSchema, manifest);
  app.name = name;
  app.displayName = tree
    ? tree.app.displayName
    : await newDisplayName(displayName || manifest.displayName, name, naming, findings);
  app.locked ||= tree?.app.locked === true;
  app.pinned ||= tree?.app.pinned === true;
  for (const persona of app.evaluationPersonas) {
    persona.name = `${name}/evaluationPersonas/${idOf(persona.name) || naming.ids.uuid()}`;
  }
  return app;
}

async function newDisplayName(
  wanted: string,
  app: string,
  { clock, appDisplayNames }: Naming,
  { violations, warnings }: Findings,
) {
  if (wanted === "") {
    violations.push({ field: "display_name", description: "Neither the request nor the package names the app." });
    return "";
  }
  const taken = await appDisplayNames(app.slice(0, app.lastIndexOf("/apps/")));
  if (!taken.includes(wanted)) return wanted;
  const stamped = `${wanted} ${new Date(clock.now()).toISOString()}`;
  warnings.push(`Another app is called '${wanted}', so this one became '${stamped}'.`);
  return stamped;
}
