import { type Access, memberKeysOf } from "#access";
import {
  type Analytics,
  createAnalytics,
  createDataStores,
  createRefreshes,
  type DataStores,
  type Refreshes,
  type RefreshOutcomes,
} from "#analytics";
import { createRulePlanners } from "#offline";
import { FairAdmission } from "#quota";
import { answerPinned } from "#services";
import { createWarehouse } from "#warehouse";
import { createDataSample, type DataSample, withSample } from "../data-sample.ts";
import type { Platform } from "./platform.ts";

/** Data agents, and questions to data. */
interface DataAnalytics {
  readonly data: DataStores;
  readonly sample: DataSample;
  readonly analytics: Analytics;
  /** Waits for the sample that is being written, stops reading values, then closes the warehouse. */
  close(): Promise<void>;
}

/** Statements that the embedded engine runs at the same time, and how many of one caller wait (CA-64). */
const STATEMENTS_AT_ONCE = 4;
const STATEMENTS = { what: "statements", quota: "statements-at-once", waiting: 1_000 } as const;

/** Creates the stores of data agents, the warehouse with the sample, and what answers questions. */
export function createDataAnalytics(platform: Platform): DataAnalytics {
  const { config, storage, models, sandbox, egress, sealer, clock, ids, logger, metrics } = platform;
  const sample = createDataSample(config, clock);
  const warehouse = withSample((sources) => createWarehouse(sources, { egress, logger }), config.warehouse, sample);
  const { resources: store, blobs } = storage;
  const data = createDataStores({
    ...{ store, blobs, warehouse, sealer, clock, ids, logger },
    isRuled: isRuled(platform),
  });
  const rules = createRulePlanners();
  const analytics = createAnalytics({
    models,
    warehouse,
    rules,
    definedModels: config.analytics.definedModels,
    budgets: config.analytics.budgets,
    resultCache: config.analytics.cache,
    admission: new FairAdmission(STATEMENTS_AT_ONCE, STATEMENTS),
    onCachedQuery: (outcome) => metrics.dataQueries.inc({ outcome }),
    accessRules: { rules: config.analytics.rules ?? [], membersOf: memberKeysOf },
    profileRows: storage.resources,
    sandbox,
    clock,
    ids,
    logger,
  });
  return {
    data,
    sample,
    analytics,
    close: async () => {
      await Promise.all([sample.settled(), analytics.close()]);
      await warehouse.close();
    },
  };
}

/** What the schedules of pinned questions run with. */
interface RefreshedParts {
  readonly outcomes: RefreshOutcomes;
  readonly data: DataStores;
  readonly analytics: Analytics;
  readonly access: Access;
}

/** Creates what runs the schedules of pinned questions. */
export function createDataRefreshes(
  platform: Platform,
  { data, analytics, access, outcomes }: RefreshedParts,
): Refreshes {
  const { storage, egress, sealer, clock, ids, logger } = platform;
  const answer = answerPinned({ ...data, analytics, access });
  const ruled = { isRuled: isRuled(platform) };
  return createRefreshes({
    ...{ store: storage.resources, answer, outcomes, egress, sealer, clock, ids, logger },
    ...ruled,
  });
}

/** Whether what somebody sees of data depends on who it is. */
function isRuled({ config }: Platform): boolean {
  return (config.analytics.rules ?? []).length > 0;
}
