import { memberKeysOf } from "#access";
import { type Analytics, createAnalytics, createDataStores, type DataStores } from "#analytics";
import { createRulePlanners } from "#offline";
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

/** Creates the stores of data agents, the warehouse with the sample, and what answers questions. */
export function createDataAnalytics(platform: Platform): DataAnalytics {
  const { config, storage, models, sandbox, egress, clock, ids, logger } = platform;
  const sample = createDataSample(config, clock);
  const warehouse = withSample((sources) => createWarehouse(sources, { egress, logger }), config.warehouse, sample);
  const { resources: store, blobs } = storage;
  const data = createDataStores({ store, blobs, warehouse, clock, ids });
  const rules = createRulePlanners();
  const analytics = createAnalytics({
    models,
    warehouse,
    rules,
    definedModels: config.analytics.definedModels,
    budgets: config.analytics.budgets,
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
