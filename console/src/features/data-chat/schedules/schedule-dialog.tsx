import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  RefreshSchedule_Aggregate as Aggregate,
  RefreshSchedule_Comparison as Comparison,
  RefreshSchedule_Frequency as Frequency,
  type RefreshSchedule,
} from "@frontdesk/protos/gda/refresh_schedule";
import { useState } from "react";
import { toStatusError } from "../../../api/status-error.ts";
import { Banner } from "../../../components/banner.tsx";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { DialogButtons } from "../../../components/dialog-actions.tsx";
import { SelectField, Switch, TextField } from "../../../components/field.tsx";
import { AGGREGATES, COMPARISONS, FREQUENCIES } from "./condition-words.ts";
import { useScheduleChanges } from "./use-schedules.ts";

interface ScheduleDialogProps {
  /** Resource name of the data agent. */
  readonly agent: string;
  readonly question: string;
  readonly columns: readonly string[];
  readonly schedule: RefreshSchedule | undefined;
  readonly onClose: () => void;
}

const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/** Refreshes a pinned question on a schedule, and tells when a value of its rows crosses a threshold. */
export function ScheduleDialog({ agent, question, columns, schedule, onClose }: ScheduleDialogProps) {
  const changes = useScheduleChanges(onClose);
  const form = useForm(schedule, columns);
  const save = () => {
    const refreshSchedule = { ...form.message(), question };
    if (!schedule) return changes.create.mutate({ parent: agent, refreshSchedule });
    const paths = ["frequency", "paused", "alert", ...(form.time === "" ? [] : ["start_time", "time_zone"])];
    changes.update.mutate({ refreshSchedule: { ...refreshSchedule, name: schedule.name }, updateMask: { paths } });
  };
  return (
    <Dialog title="Refresh on a schedule" open onClose={onClose} dismissable={false}>
      <div className="stack">
        {changes.error && <Banner tone="error" error={toStatusError(changes.error)} />}
        <SelectField label="Refresh" value={form.frequency} choices={FREQUENCIES} onChange={form.setFrequency} />
        <TextField
          label="At"
          value={form.time}
          onChange={form.setTime}
          placeholder={schedule ? "as before" : "now"}
          hint={`Hours and minutes in ${form.timeZone}, such as 09:00.`}
          error={form.isTime ? undefined : "Write hours and minutes, such as 09:00."}
        />
        {schedule && (
          <Switch selected={form.paused} onChange={form.setPaused}>
            Paused
          </Switch>
        )}
        <Switch selected={form.alerts} onChange={form.setAlerts}>
          Tell me when a value crosses a threshold
        </Switch>
        {form.alerts && <AlertFields form={form} columns={columns} origin={schedule?.alert?.webhook?.origin ?? ""} />}
        <DialogButtons>
          {schedule && (
            <Button
              tone="danger"
              isDisabled={changes.isPending}
              onPress={() => changes.remove.mutate({ name: schedule.name })}
            >
              Delete schedule
            </Button>
          )}
          <Button onPress={onClose}>Cancel</Button>
          <Button tone="primary" isDisabled={!form.isValid || changes.isPending} onPress={save}>
            Save schedule
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}

interface AlertFieldsProps {
  readonly form: Form;
  readonly columns: readonly string[];
  /** Of the webhook that is stored; "" for none. */
  readonly origin: string;
}

function AlertFields({ form, columns, origin }: AlertFieldsProps) {
  const choices = columns.map((column) => ({ value: column, label: column }));
  return (
    <>
      <SelectField label="Value" value={form.aggregate} choices={AGGREGATES} onChange={form.setAggregate} />
      {form.aggregate !== "ROW_COUNT" && (
        <SelectField label="Column" value={form.column} choices={choices} onChange={form.setColumn} />
      )}
      <SelectField label="Comparison" value={form.comparison} choices={COMPARISONS} onChange={form.setComparison} />
      <TextField label="Threshold" type="number" value={form.threshold} onChange={form.setThreshold} />
      <TextField
        label="Webhook (optional)"
        type="url"
        value={form.url}
        onChange={form.setUrl}
        placeholder={origin || "https://hooks.example.com/frontdesk"}
        hint={
          origin
            ? `Alerts go to ${origin}. It stays as it is when you leave this empty.`
            : "It is called once when the value crosses."
        }
      />
      {form.url !== "" && (
        <TextField
          label="Secret of its signatures"
          type="password"
          value={form.secret}
          onChange={form.setSecret}
          placeholder="whsec_…"
          hint="whsec_ and 24 to 64 random bytes in base64; it is not shown again."
        />
      )}
    </>
  );
}

type Form = ReturnType<typeof useForm>;

function useForm(schedule: RefreshSchedule | undefined, columns: readonly string[]) {
  const { alert } = schedule ?? {};
  const [frequency, setFrequency] = useState(nameOf(FREQUENCIES, Frequency, schedule?.frequency ?? Frequency.DAILY));
  const [time, setTime] = useState("");
  const [paused, setPaused] = useState(schedule?.paused ?? false);
  const [alerts, setAlerts] = useState(alert !== undefined);
  const [aggregate, setAggregate] = useState(nameOf(AGGREGATES, Aggregate, alert?.aggregate ?? Aggregate.FIRST_ROW));
  const [column, setColumn] = useState(alert?.column || columns.at(-1) || "");
  const [comparison, setComparison] = useState(
    nameOf(COMPARISONS, Comparison, alert?.comparison ?? Comparison.GREATER),
  );
  const [threshold, setThreshold] = useState(String(alert?.threshold ?? 0));
  const [url, setUrl] = useState("");
  const [secret, setSecret] = useState("");
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const isTime = time === "" || TIME.test(time);
  const isThreshold = threshold.trim() !== "" && Number.isFinite(Number(threshold));
  const webhook = url !== "" ? { url, secret } : alert?.webhook && {};
  const message = () => ({
    frequency: Frequency[frequency],
    paused,
    ...(time !== "" && { startTime: startToday(time), timeZone }),
    ...(!schedule && { timeZone }),
    ...(alerts && {
      alert: {
        aggregate: Aggregate[aggregate],
        column: aggregate === "ROW_COUNT" ? "" : column,
        comparison: Comparison[comparison],
        threshold: Number(threshold),
        webhook,
      },
    }),
  });
  return {
    ...{ frequency, setFrequency, time, setTime, isTime, timeZone, paused, setPaused, alerts, setAlerts },
    ...{ aggregate, setAggregate, column, setColumn, comparison, setComparison, threshold, setThreshold },
    ...{ url, setUrl, secret, setSecret, message },
    isValid: isTime && (!alerts || isThreshold),
  };
}

/** The name of an enum's value among the choices; the first one for values of newer servers. */
function nameOf<Value extends string>(
  choices: readonly [{ readonly value: Value }, ...{ readonly value: Value }[]],
  values: Readonly<Record<Value, number>>,
  value: number,
): Value {
  return (choices.find((choice) => values[choice.value] === value) ?? choices[0]).value;
}

/** A time of day in the zone of this browser, today. */
function startToday(time: string) {
  const [, hours, minutes] = TIME.exec(time) ?? [];
  const start = new Date();
  start.setHours(Number(hours), Number(minutes), 0, 0);
  return timestampFromDate(start);
}
