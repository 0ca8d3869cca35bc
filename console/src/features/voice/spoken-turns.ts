import type { SessionOutput } from "@frontdesk/protos/ces/session_service";
import { beginTurn, type Turn, withOutput } from "../simulator/turn.ts";
import { recordedInput } from "../simulator/turn-input.ts";

/** The turns after another recognition result; the transcript is the input of the running turn. */
export function withTranscript(turns: readonly Turn[], transcript: string): readonly Turn[] {
  const last = turns.at(-1);
  const input = [{ kind: "text" as const, text: transcript }];
  if (last?.status !== "running") return [...turns, beginTurn(nextIndex(turns), input)];
  return [...turns.slice(0, -1), { ...last, input }];
}

/** The turns after one more output of the agent. The recorded input of a completed turn replaces the transcript. */
export function withAgentOutput(turns: readonly Turn[], output: SessionOutput): readonly Turn[] {
  const open = turns.at(-1)?.status === "running" ? turns : [...turns, beginTurn(nextIndex(turns), [])];
  const last = open.at(-1);
  if (!last) return open;
  const after = withOutput(last, output);
  const input = recordedInput(after.messages);
  return [...open.slice(0, -1), input.length > 0 ? { ...after, input } : after];
}

/** The turns after the connection closed: a turn that was still running was not stored. */
export function withoutOpenTurn(turns: readonly Turn[]): readonly Turn[] {
  return turns.at(-1)?.status === "running" ? turns.slice(0, -1) : turns;
}

function nextIndex(turns: readonly Turn[]): number {
  return (turns.at(-1)?.index ?? -1) + 1;
}
