import { definedFields } from "#base";
import { CALLBACK_APP, CLIENT_APP, PLAIN_APP, PYTHON_APP, TRANSFER_APP } from "./bench-apps.ts";
import type { LoadOrder } from "./load.ts";

/** A kind of turn that is measured, against a floor that asks the model as often. */
export interface Shape {
  readonly name: string;
  readonly app: string;
  readonly method: LoadOrder["method"];
  /** Model calls of one turn, by the app and by the floor. */
  readonly modelCalls: 1 | 2;
  /** The turn hands a call to the client, which answers it in a second request. */
  readonly answersCalls?: true;
}

/** What the bench measures, in the order of its table. */
export const SHAPES: readonly Shape[] = [
  { name: "plain text", app: PLAIN_APP, method: "runSession", modelCalls: 1 },
  { name: "plain text, streamed", app: PLAIN_APP, method: "streamRunSession", modelCalls: 1 },
  { name: "two agents", app: TRANSFER_APP, method: "runSession", modelCalls: 2 },
  { name: "two agents, streamed", app: TRANSFER_APP, method: "streamRunSession", modelCalls: 2 },
  { name: "one Python tool", app: PYTHON_APP, method: "runSession", modelCalls: 2 },
  { name: "6 callbacks, 2 guardrails", app: CALLBACK_APP, method: "runSession", modelCalls: 1 },
  { name: "client function", app: CLIENT_APP, method: "runSession", modelCalls: 2, answersCalls: true },
];

/** The floor's turn for a shape: the same requests, the same number of model calls, nothing else. */
export function floorOf({
  method,
  modelCalls,
  answersCalls,
}: Shape): Pick<LoadOrder, "app" | "method" | "answersCalls"> {
  const callsARequest = answersCalls ? 1 : modelCalls;
  return {
    app: `projects/bench/locations/us/apps/floor-${callsARequest}`,
    method,
    ...definedFields({ answersCalls }),
  };
}
