import { PhoneOff } from "lucide-react";
import { useEffect } from "react";
import { Banner } from "../../components/banner.tsx";
import { IconButton } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import type { Session } from "../simulator/use-session.ts";
import { useVoiceCall } from "./use-voice-call.ts";

interface VoiceCallProps {
  readonly session: Session;
  /** Called when the call ended without an error. */
  readonly onEnd: () => void;
}

/** A voice call with the agent, or why there is none. */
export function VoiceCall({ session, onEnd }: VoiceCallProps) {
  const { state, error, end, start } = useVoiceCall(session);
  useEffect(start, [start]);
  useEffect(() => {
    if (state === "over" && error === undefined) onEnd();
  }, [state, error, onEnd]);
  return (
    <>
      {state !== "over" && (
        <>
          <IconButton label="End call" tone="danger" onPress={end}>
            <PhoneOff size={18} aria-hidden="true" />
          </IconButton>
          <span className="muted call-state" role="status">
            {state === "on" ? "Listening…" : "Connecting…"}
          </span>
        </>
      )}
      <Dialog title="Voice call not available" open={error !== undefined} onClose={onEnd}>
        <div className="stack">
          <Banner tone="warning">
            <p>{error}</p>
          </Banner>
          <p className="muted">
            Voice requires speech-to-text and text-to-speech providers: set <code>listen</code> and <code>speak</code>{" "}
            in the <code>speech</code> section of the server's configuration. See docs/voice.md for examples that need
            no account.
          </p>
        </div>
      </Dialog>
    </>
  );
}
