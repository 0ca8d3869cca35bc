import { fromJson } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { MessageSchema } from "@frontdesk/protos/ces/example";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { toStatusError } from "../../api/status-error.ts";
import { transport } from "../../api/transport.ts";
import type { SessionSettings } from "./session-settings.ts";
import { deploymentAfterFirstTurn, openTarget } from "./target.ts";
import { type Turn, withOutput } from "./turn.ts";
import { type TurnInput, toSessionInputs } from "./turn-input.ts";

/** One turn to run. */
interface TurnToRun {
  readonly app: string;
  /** `projects/…/sessions/{id}`. */
  readonly session: string;
  readonly settings: SessionSettings;
  /** Whether the session begins with it. */
  readonly first: boolean;
  readonly input: TurnInput;
}

const client = createClient(SessionService, transport);

const STOPPED = { message: "Stopped. This turn was not saved.", code: "CANCELLED" };

/** The conversation is the simulator's, and its trace has the prompt of each model call. */
const HEADERS = { "x-frontdesk-source": "simulator", "x-frontdesk-trace": "prompts" };

/** Runs a turn and reports each change with `update`. Resolves to whether the server stored it. Never rejects: `update` gets errors, too. */
export async function runTurn(
  turn: TurnToRun,
  signal: AbortSignal,
  update: (change: (turn: Turn) => Turn) => void,
): Promise<boolean> {
  try {
    const target = turn.first ? await openTarget(turn.app, turn.settings.target) : undefined;
    const deployment = target?.deployment ?? deploymentAfterFirstTurn(turn.settings.target);
    try {
      const request = { config: configOf(turn, deployment), inputs: inputsOf(turn) };
      for await (const { outputs } of client.streamRunSession(request, { signal, headers: HEADERS })) {
        for (const output of outputs) update((before) => withOutput(before, output));
      }
    } finally {
      await target?.close();
    }
    update((before) => (before.status === "running" ? { ...before, status: "done" } : before));
    return true;
  } catch (thrown) {
    const error = signal.aborted ? STOPPED : toStatusError(thrown);
    update((before) => ({ ...before, status: "failed", error }));
    return false;
  }
}

/** The session configuration to send with every turn. */
export function configOf({ session, settings, first }: Omit<TurnToRun, "input" | "app">, deployment: string) {
  const { useToolFakes, entryAgent, timeZone, history } = settings;
  return {
    session,
    deployment,
    useToolFakes,
    timeZone,
    enableTextStreaming: true,
    entryAgent: first ? entryAgent : "",
    historicalContexts: first
      ? history.map((message) => fromJson(MessageSchema, message, { ignoreUnknownFields: true }))
      : [],
  };
}

function inputsOf({ first, settings: { variables }, input }: TurnToRun) {
  const initial: TurnInput =
    first && Object.keys(variables).length > 0 ? [{ kind: "variables", values: variables }] : [];
  return toSessionInputs([...initial, ...input]);
}
