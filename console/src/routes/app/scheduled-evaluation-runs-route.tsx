import { create } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import {
  ScheduledEvaluationRun_SchedulingConfig_Frequency as Frequency,
  type ScheduledEvaluationRun,
  ScheduledEvaluationRunSchema,
} from "@frontdesk/protos/ces/evaluation";
import { useState } from "react";
import { scheduledEvaluationRuns } from "../../api/evaluation-resources.ts";
import { Badge } from "../../components/badge.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { SelectField } from "../../components/field.tsx";
import { useEvaluationSummaries } from "../../features/evaluations/evaluation-queries.ts";
import { fieldLabel } from "../../features/message-form/field-labels.ts";
import { ResourceList } from "../../features/resources/resource-list.tsx";
import { useAppName } from "./use-app-name.ts";

/** The schedules of an app: which evaluations run, and how often. */
export function ScheduledEvaluationRunsRoute() {
  const app = useAppName();
  const [frequency, setFrequency] = useState(String(Frequency.DAILY));
  const evaluations = useEvaluationSummaries(app).data ?? [];
  return (
    <ResourceList
      kind={scheduledEvaluationRuns}
      app={app}
      title="Schedules"
      empty={{
        title: "No schedules yet",
        text: "A schedule runs evaluations once, daily, weekly or every two weeks.",
      }}
      columns={[
        { id: "frequency", heading: "Frequency", cell: frequencyText },
        { id: "active", heading: "Status", cell: ({ active }) => <Badge>{active ? "Active" : "Inactive"}</Badge> },
        { id: "count", heading: "Runs", number: true, cell: ({ totalExecutions }) => totalExecutions },
        {
          id: "next",
          heading: "Next run",
          cell: ({ nextScheduledExecutionTime }) => <DateTime time={nextScheduledExecutionTime} />,
        },
      ]}
      make={(displayName) =>
        create(ScheduledEvaluationRunSchema, {
          displayName,
          request: { app, evaluations: evaluations.map(({ name }) => name) },
          schedulingConfig: { frequency: Number(frequency), startTime: timestampNow() },
        })
      }
      fields={
        <SelectField
          label="Frequency"
          value={frequency}
          choices={FREQUENCIES}
          onChange={setFrequency}
          hint="The schedule starts inactive, with all evaluations of the app."
        />
      }
    />
  );
}

const FREQUENCIES = [Frequency.NONE, Frequency.DAILY, Frequency.WEEKLY, Frequency.BIWEEKLY].map((frequency) => ({
  value: String(frequency),
  label: frequency === Frequency.NONE ? "Once" : fieldLabel(Frequency[frequency] ?? ""),
}));

function frequencyText({ schedulingConfig }: ScheduledEvaluationRun): string {
  const value = String(schedulingConfig?.frequency ?? Frequency.NONE);
  return FREQUENCIES.find((choice) => choice.value === value)?.label ?? "";
}
