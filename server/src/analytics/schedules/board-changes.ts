import { equals } from "@bufbuild/protobuf";
import {
  type DataAgent,
  DataAgent_PinnedQuestionSchema as PinnedQuestionSchema,
} from "@frontdesk/protos/gda/data_agent";
import type { Ids } from "#base";
import type { ResourceStore, ResourceWrite } from "#storage";
import { REFRESH_SCHEDULE_TYPE } from "./schedule-name.ts";
import { fromScheduleRow, MAX_SCHEDULES, type StoredSchedule, toScheduleRow } from "./schedule-rows.ts";

/** What becomes of schedules when the board of their agent changes: one whose question was taken off goes, and one whose query is another loses the rows of the query before (CA-50). */
export async function afterBoardChange(
  { store, ids }: { readonly store: ResourceStore; readonly ids: Ids },
  before: DataAgent,
  after: DataAgent,
): Promise<readonly ResourceWrite[]> {
  const pins = new Map(after.pinnedQuestions.map((pin) => [pin.question, pin]));
  const changed = before.pinnedQuestions.filter((pin) => {
    const next = pins.get(pin.question);
    return !next || !equals(PinnedQuestionSchema, pin, next);
  });
  if (changed.length === 0) return [];
  const questions = new Set(changed.map(({ question }) => question));
  const { rows } = await store.list({
    ...{ type: REFRESH_SCHEDULE_TYPE, parent: after.name, orderBy: "name", descending: false, limit: MAX_SCHEDULES },
  });
  return rows
    .map(fromScheduleRow)
    .filter(({ schedule }) => questions.has(schedule.question))
    .map((stored) =>
      pins.has(stored.schedule.question)
        ? withoutRows(stored, ids)
        : { kind: "delete" as const, name: stored.schedule.name },
    );
}

function withoutRows(stored: StoredSchedule, ids: Ids): ResourceWrite {
  const { schedule, etag } = stored;
  delete schedule.lastResult;
  if (schedule.alert) delete schedule.alert.lastValue;
  return { kind: "put", row: toScheduleRow({ ...stored, etag: ids.uuid() }), ifEtag: etag };
}
