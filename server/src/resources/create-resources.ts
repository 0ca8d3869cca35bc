import type { Clock, Ids, ObjectStorage } from "#base";
import type { ResourceStore } from "#storage";
import { createAppSnapshots } from "./app-snapshots.ts";
import { createAppStates } from "./app-states.ts";
import { createAssistantRecords } from "./assistant-records.ts";
import type { InspectPython, Resources, ToolChecks } from "./contract.ts";
import type { ReadContext } from "./define-resource.ts";
import { apps } from "./definitions/app.ts";
import { storedSecuritySettings } from "./definitions/security-settings.ts";
import { DEFINITIONS } from "./definitions.ts";
import { createEvaluationRecords } from "./evaluation-records.ts";
import type { PackageLimits } from "./package/archive/read-zip.ts";
import { createPackages } from "./package/packages.ts";
import { createPythonChecks, type ServerFacts } from "./python/python-checks.ts";
import { createResourceTree } from "./resource-tree.ts";
import { restoreVersion } from "./restore-version.ts";
import { createStandardMethods } from "./standard-methods.ts";
import { createAppWriter } from "./write/app-writer.ts";

interface ResourcesDeps {
  readonly store: ResourceStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly inspectPython: InspectPython;
  /** Where packages at `gs://` addresses are. Default: none can be named. */
  readonly objects?: ObjectStorage;
  /** Default: only the Python code of tools is checked. */
  readonly toolChecks?: ToolChecks;
  /** What resources depend on of this server. Default, for each: nothing. */
  readonly server?: Partial<ServerFacts>;
  /** Default `PACKAGE_LIMITS`. */
  readonly packageLimits?: PackageLimits;
}

/** Creates everything that works on configuration resources. */
export function createResources(deps: ResourcesDeps): Resources {
  const { store, clock, ids, inspectPython, packageLimits } = deps;
  const states = createAppStates(store, DEFINITIONS);
  const writer = createAppWriter({
    store,
    states,
    python: createPythonChecks(inspectPython, deps.server, deps.toolChecks),
    clock,
  });
  const tree = createResourceTree(states, writer);
  const snapshots = createAppSnapshots(store, states);
  const packages = createPackages({
    tree,
    snapshots,
    inspectPython,
    clock,
    ids,
    appDisplayNames: (parent) => appDisplayNames(parent, { store }),
    limits: packageLimits,
    objects: deps.objects,
  });
  return {
    standard: createStandardMethods({ store, writer, clock, ids }),
    snapshots,
    tree,
    packages,
    evaluationRecords: createEvaluationRecords({ store, writer, clock }),
    assistantRecords: createAssistantRecords(store, clock),
    securitySettings: (app) => storedSecuritySettings(app, store),
    restoreVersion: (name, author = "") => restoreVersion(name, author, { snapshots, writer, ids }),
  };
}

/** Rows read at a time. */
const BATCH = 500;

/** Display names of all apps of a location. */
async function appDisplayNames(parent: string, { store }: ReadContext): Promise<readonly string[]> {
  const names: string[] = [];
  let after: readonly [string | number, string] | undefined;
  do {
    const query = { type: apps.type.type, parent, orderBy: "name" as const, descending: false, limit: BATCH };
    const page = await store.list({ ...query, after });
    names.push(...page.rows.map(({ displayName }) => displayName));
    after = page.last;
  } while (after);
  return names;
}
