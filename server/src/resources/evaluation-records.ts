import { clone } from "@bufbuild/protobuf";
import { type App, AppSchema } from "@frontdesk/protos/ces/app";
import {
  type EvaluationResult,
  EvaluationResultSchema,
  type EvaluationRun,
  EvaluationRunSchema,
  type ScheduledEvaluationRun,
  ScheduledEvaluationRunSchema,
} from "@frontdesk/protos/ces/evaluation";
import { resourceTypeOf } from "#aip";
import { type Clock, knownTimeZone } from "#base";
import { notFound } from "#status";
import type { ResourceQuery, ResourceRow, ResourceStore } from "#storage";
import type { EvaluationRecords, RunFindings } from "./contract.ts";
import { recordRow } from "./record-write.ts";
import { fromRow, type Resource } from "./resource.ts";
import { appOf } from "./resource-names.ts";
import type { AppWriter } from "./write/app-writer.ts";

interface EvaluationRecordsDeps {
  readonly store: ResourceStore;
  readonly writer: AppWriter;
  readonly clock: Clock;
}

const EVERY_APP = "projects/-/locations/-/apps/-";

/** Rows that are read at once. */
const PAGE = 500;

/** Creates the writer of evaluation records. */
export function createEvaluationRecords({ store, writer, clock }: EvaluationRecordsDeps): EvaluationRecords {
  async function annotate(name: string, findings: RunFindings): Promise<void> {
    await writer.write(
      appOf(name) ?? "",
      async (state) => {
        const entry = state.entries.get(name);
        if (!entry?.row) throw notFound(name);
        const { definition, resource, row } = entry;
        const after = Object.assign(clone(definition.desc, resource) as Resource, findings);
        return { changes: [{ definition, name, before: { resource, row }, after, fieldPrefix: "" }] };
      },
      { isAnnotation: true },
    );
  }

  async function results(names: readonly string[]): Promise<readonly EvaluationResult[]> {
    const rows = await store.getMany(names);
    const type = resourceTypeOf(EvaluationResultSchema)?.type;
    return names.flatMap((name) => {
      const row = rows.get(name);
      return row && row.type === type ? [fromRow(EvaluationResultSchema, row) as unknown as EvaluationResult] : [];
    });
  }

  async function schedules(name?: string) {
    const rows = name === undefined ? await allSchedules() : [...(await store.getMany([name])).values()];
    const found = rows.map((row) => fromRow(ScheduledEvaluationRunSchema, row) as unknown as ScheduledEvaluationRun);
    const apps = await store.getMany([...new Set(rows.map(({ parent }) => parent))]);
    const zones = new Map(
      [...apps].map(([app, row]) => {
        const { timeZoneSettings } = fromRow(AppSchema, row) as unknown as App;
        return [app, knownTimeZone(timeZoneSettings?.timeZone)];
      }),
    );
    return found.map((schedule) => ({ schedule, timeZone: zones.get(appOf(schedule.name) ?? "") ?? "" }));
  }

  async function allSchedules(): Promise<readonly ResourceRow[]> {
    const type = resourceTypeOf(ScheduledEvaluationRunSchema)?.type ?? "";
    return Array.fromAsync(allRows(store, { type, parent: EVERY_APP, orderBy: "name", descending: false }));
  }

  async function* resultsOf(parent: string): AsyncGenerator<EvaluationResult> {
    const type = resourceTypeOf(EvaluationResultSchema)?.type ?? "";
    for await (const row of allRows(store, { type, parent, orderBy: "create_time", descending: true }))
      yield fromRow(EvaluationResultSchema, row) as unknown as EvaluationResult;
  }

  async function runs(names: readonly string[]): Promise<readonly EvaluationRun[]> {
    const rows = await store.getMany(names);
    const type = resourceTypeOf(EvaluationRunSchema)?.type;
    return names.flatMap((name) => {
      const row = rows.get(name);
      return row && row.type === type ? [fromRow(EvaluationRunSchema, row) as unknown as EvaluationRun] : [];
    });
  }

  return {
    annotate,
    results,
    resultNames: (parent) => store.names({ type: resourceTypeOf(EvaluationResultSchema)?.type ?? "", parent }),
    resultsOf,
    runs,
    schedules,
    run: async (name) => {
      const [found] = await runs([name]);
      if (!found) throw notFound(name, resourceTypeOf(EvaluationRunSchema)?.type);
      return found;
    },
    put: async (...records) => {
      const now = clock.now();
      await store.write(records.map((record) => ({ kind: "put", row: recordRow(record, now) })));
    },
    replace: async (...records) => {
      const now = clock.now();
      await store.write(records.map((record) => ({ kind: "replace", row: recordRow(record, now) })));
    },
    exists: async (name) => (await store.get(name)) !== undefined,
  };
}

async function* allRows(
  store: ResourceStore,
  query: Omit<ResourceQuery, "limit" | "after">,
): AsyncGenerator<ResourceRow> {
  let page = await store.list({ ...query, limit: PAGE });
  yield* page.rows;
  while (page.last) {
    page = await store.list({ ...query, limit: PAGE, after: page.last });
    yield* page.rows;
  }
}
