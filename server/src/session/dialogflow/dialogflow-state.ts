import type { JsonObject } from "#base";
import type { TurnInput } from "../turn/inputs.ts";

/** What a session remembers for the Dialogflow agents of its app. */
export interface DialogflowState {
  /** Resource name of the agent whose flow is under way; "" for none. */
  readonly visiting: string;
  /** Variables of clients that the app does not declare: Dialogflow gets them as session parameters (TOOL-28). */
  readonly unrecognized: JsonObject;
}

export const NO_VISIT: DialogflowState = { visiting: "", unrecognized: {} };

/** The state with what the inputs of a turn add; nothing is kept for apps that have no Dialogflow agent. */
export function withInputs(state: DialogflowState, { unrecognized }: TurnInput, wanted: boolean): DialogflowState {
  if (!wanted || Object.keys(unrecognized).length === 0) return state;
  return { ...state, unrecognized: { ...state.unrecognized, ...unrecognized } };
}
