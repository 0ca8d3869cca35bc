import type { Clock, Ids } from "#base";
import type { ResourceStore } from "#storage";
import { createAppSnapshots } from "./app-snapshots.ts";
import { createAppStates } from "./app-states.ts";
import type { InspectPython, Resources, ToolChecks } from "./contract.ts";
import { storedSecuritySettings } from "./definitions/security-settings.ts";
import { DEFINITIONS } from "./definitions.ts";
import { createEvaluationRecords } from "./evaluation-records.ts";
import { createPackages, type PackageLimits } from "./package/index.ts";
import { createPythonChecks, type ServerFacts } from "./python/python-checks.ts";
import { appDisplayNames } from "./read/app-display-names.ts";
import { createResourceTree } from "./resource-tree.ts";
import { restoreVersion } from "./restore-version.ts";
import { createStandardMethods } from "./standard-methods.ts";
import { createAppWriter } from "./write/app-writer.ts";

export interface ResourcesDeps {
  readonly store: ResourceStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly inspectPython: InspectPython;
  /** Default: nothing is checked of tools but their code. */
  readonly toolChecks?: ToolChecks;
  /** What the server does that resources tell of. Default: nothing. */
  readonly server?: ServerFacts;
  /** E-mail or the like of who asks, for the change log. Default: nobody is named. */
  readonly author?: () => string;
  /** Default: the product's own. */
  readonly packageLimits?: PackageLimits;
}

/** Creates the room: everything that can be done with configuration resources. */
export function createResources(deps: ResourcesDeps): Resources {
  const { store, clock, ids, inspectPython, packageLimits, author = () => "" } = deps;
  const states = createAppStates(store, DEFINITIONS);
  const writer = createAppWriter({
    store,
    states,
    python: createPythonChecks(inspectPython, deps.server, deps.toolChecks),
    clock,
    author,
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
    ...(packageLimits && { limits: packageLimits }),
  });
  return {
    standard: createStandardMethods({ store, writer, clock, ids, author }),
    snapshots,
    tree,
    packages,
    evaluationRecords: createEvaluationRecords({ store, writer, clock }),
    securitySettings: (app) => storedSecuritySettings(app, store),
    restoreVersion: (name) => restoreVersion(name, { snapshots, writer, ids, author }),
  };
}
