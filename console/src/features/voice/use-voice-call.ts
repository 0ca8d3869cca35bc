import type { BidiSessionServerMessage } from "@frontdesk/protos/ces/session_service";
import { useCallback, useEffect, useRef, useState } from "react";
import { configOf } from "../simulator/run-turn.ts";
import { deploymentAfterFirstTurn } from "../simulator/target.ts";
import type { Session } from "../simulator/use-session.ts";
import { type Microphone, openMicrophone } from "./microphone.ts";
import { openPlayer, type Player } from "./player.ts";
import { withAgentOutput, withoutOpenTurn, withTranscript } from "./spoken-turns.ts";
import { openVoiceConnection, type VoiceConnection } from "./voice-connection.ts";

/** A call with the agent. */
interface VoiceCall {
  readonly state: "connecting" | "on" | "over";
  /** Why there is no call, in a sentence. */
  readonly error: string | undefined;
  start(): void;
  end(): void;
}

/** A voice call in a session: sends the microphone, plays the audio of the agent, and adds both to the turns. */
export function useVoiceCall(session: Session): VoiceCall {
  const [state, setState] = useState<VoiceCall["state"]>("connecting");
  const [error, setFailure] = useState<string>();
  const open = useRef<{ connection?: VoiceConnection; microphone?: Microphone; player?: Player }>({});
  const current = useRef(session);
  current.current = session;

  const hangUp = useCallback(() => {
    const { connection, microphone, player } = open.current;
    open.current = {};
    connection?.close();
    microphone?.close();
    player?.close();
    current.current.merge(withoutOpenTurn);
  }, []);

  const end = useCallback(() => {
    hangUp();
    setState("over");
  }, [hangUp]);

  const start = useCallback(() => {
    const player = openPlayer();
    open.current = { player };
    const onMessage = ({ messageType }: BidiSessionServerMessage) => {
      switch (messageType.case) {
        case "recognitionResult": {
          const { transcript } = messageType.value;
          return current.current.merge((turns) => withTranscript(turns, transcript));
        }
        case "interruptionSignal":
          return player.stop();
        case "sessionOutput": {
          const output = messageType.value;
          if (output.outputType.case === "audio") player.play(output.outputType.value);
          return current.current.merge((turns) => withAgentOutput(turns, output));
        }
        case "endSession":
        case "goAway":
          return end();
      }
    };
    const fail = (sentence: string | undefined) => {
      // The call was ended in the meantime.
      if (open.current.player !== player) return;
      setFailure(sentence);
      end();
    };
    openMicrophone((sound) => open.current.connection?.sendAudio(sound))
      .then((microphone) => {
        if (open.current.player !== player) return microphone.close();
        open.current.microphone = microphone;
        open.current.connection = openVoiceConnection(callConfig(current.current), {
          onOpen: () => setState("on"),
          onMessage,
          onClose: fail,
        });
      })
      .catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
  }, [end]);

  useEffect(() => hangUp, [hangUp]);
  return { state, error, start, end };
}

/** A version runs by voice only once its session has begun in writing: see `openTarget`. */
function callConfig({ name, settings, turns }: Session) {
  const first = turns.length === 0;
  return configOf({ session: name, settings, first }, deploymentAfterFirstTurn(settings.target));
}
