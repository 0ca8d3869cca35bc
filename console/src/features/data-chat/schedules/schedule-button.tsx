import type { RefreshSchedule } from "@frontdesk/protos/gda/refresh_schedule";
import { CalendarClock } from "lucide-react";
import { lazy } from "react";
import { DialogButton } from "../../../components/dialog-button.tsx";

const ScheduleDialog = lazy(() => import("./schedule-dialog.tsx").then((view) => ({ default: view.ScheduleDialog })));

interface ScheduleButtonProps {
  /** Resource name of the data agent. */
  readonly agent: string;
  readonly question: string;
  /** Of the rows, for alerts. */
  readonly columns: readonly string[];
  readonly schedule: RefreshSchedule | undefined;
}

/** Opens the schedule of a pinned question. */
export function ScheduleButton(props: ScheduleButtonProps) {
  return (
    <DialogButton small tone="plain" dialog={(close) => <ScheduleDialog {...props} onClose={close} />}>
      <CalendarClock size={15} aria-hidden="true" /> {props.schedule ? "Change schedule" : "Schedule"}
    </DialogButton>
  );
}
