import type { JsonObject } from "@bufbuild/protobuf";
import { Button } from "../../components/button.tsx";

interface EndedNoteProps {
  readonly reason: JsonObject;
  readonly onRestart: () => void;
}

/** The session is over: why, and what to do next. */
export function EndedNote({ reason, onRestart }: EndedNoteProps) {
  const told = typeof reason.reason === "string" && reason.reason !== "" ? `: ${reason.reason}` : "";
  const escalated = reason.session_escalated === true ? " A person was asked to take over." : "";
  return (
    <div className="ended" role="status">
      <p>
        The session has ended{told}.{escalated}
      </p>
      <Button small onPress={onRestart}>
        Start over
      </Button>
    </div>
  );
}
