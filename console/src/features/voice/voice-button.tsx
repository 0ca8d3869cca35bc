import { Mic } from "lucide-react";
import { lazy, Suspense, useCallback, useState } from "react";
import { IconButton } from "../../components/button.tsx";
import type { Session } from "../simulator/use-session.ts";

const VoiceCall = lazy(() => import("./voice-call.tsx").then((call) => ({ default: call.VoiceCall })));

/** Begins speaking with the agent; what speaking takes is loaded then. */
export function VoiceButton({ session }: { readonly session: Session }) {
  const [called, setCalled] = useState(false);
  const onEnd = useCallback(() => setCalled(false), []);
  if (called)
    return (
      <Suspense>
        <VoiceCall session={session} onEnd={onEnd} />
      </Suspense>
    );
  return (
    <IconButton
      label="Start voice call"
      isDisabled={session.running || session.ended || session.reading}
      onPress={() => setCalled(true)}
    >
      <Mic size={18} aria-hidden="true" />
    </IconButton>
  );
}
