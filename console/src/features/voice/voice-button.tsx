import { Mic, PhoneOff } from "lucide-react";
import { Banner } from "../../components/banner.tsx";
import { IconButton } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import type { Session } from "../simulator/use-session.ts";
import { useVoiceCall } from "./use-voice-call.ts";

/** Begins and ends speaking with the agent. Where that cannot be, says what is missing. */
export function VoiceButton({ session }: { readonly session: Session }) {
  const call = useVoiceCall(session);
  return (
    <>
      {call.state === "off" ? (
        <IconButton
          label="Speak with the agent"
          isDisabled={session.running || session.ended || session.reading}
          onPress={call.start}
        >
          <Mic size={18} aria-hidden="true" />
        </IconButton>
      ) : (
        <>
          <IconButton label="End the call" tone="danger" onPress={call.end}>
            <PhoneOff size={18} aria-hidden="true" />
          </IconButton>
          <span className="muted call-state" role="status">
            {call.state === "on" ? "Listening. Speak, or interrupt." : "Connecting …"}
          </span>
        </>
      )}
      <Dialog title="There is no call" open={call.trouble !== undefined} onClose={call.dismiss}>
        <div className="stack">
          <Banner tone="warning">
            <p>{call.trouble}</p>
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
