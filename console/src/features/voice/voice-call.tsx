import { PhoneOff } from "lucide-react";
import { useEffect } from "react";
import { Banner } from "../../components/banner.tsx";
import { IconButton } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import type { Session } from "../simulator/use-session.ts";
import { useVoiceCall } from "./use-voice-call.ts";

interface VoiceCallProps {
  readonly session: Session;
  /** The call is over, and there is nothing more to say about it. */
  readonly onEnd: () => void;
}

/** A call with the agent while it goes on. Where there can be none, says what is missing. */
export function VoiceCall({ session, onEnd }: VoiceCallProps) {
  const { state, trouble, end, start } = useVoiceCall(session);
  useEffect(start, [start]);
  useEffect(() => {
    if (state === "over" && trouble === undefined) onEnd();
  }, [state, trouble, onEnd]);
  return (
    <>
      {state !== "over" && (
        <>
          <IconButton label="End the call" tone="danger" onPress={end}>
            <PhoneOff size={18} aria-hidden="true" />
          </IconButton>
          <span className="muted call-state" role="status">
            {state === "on" ? "Listening. Speak, or interrupt." : "Connecting …"}
          </span>
        </>
      )}
      <Dialog title="There is no call" open={trouble !== undefined} onClose={onEnd}>
        <div className="stack">
          <Banner tone="warning">
            <p>{trouble}</p>
          </Banner>
          <p className="muted">
            Speech needs a recogniser and a voice in the server's configuration: the section <code>speech</code>, with{" "}
            <code>listen</code> and <code>speak</code>. docs/voice.md has examples that need no account.
          </p>
        </div>
      </Dialog>
    </>
  );
}
