import type { JsonObject } from "#base";

/** A query to a Dialogflow agent. */
export interface DialogflowQuery {
  /** `projects/…/agents/…[/environments/…]/sessions/…`. */
  readonly session: string;
  readonly input: DialogflowInput;
  /** Language of the input; undefined = the agent's own default language. */
  readonly languageCode: string | undefined;
  /** Used when the agent's default language is unknown. */
  readonly fallbackLanguage: string;
  /** `QueryParameters` in JSON, without what is unset. */
  readonly params: JsonObject;
}

/** What the user did, as `QueryInput` takes it. */
export type DialogflowInput =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "event"; readonly event: string }
  | { readonly kind: "dtmf"; readonly digits: string; readonly finishDigit: string };

/** What came back, read from `DetectIntentResponse.query_result`. */
export interface DialogflowAnswer {
  readonly messages: readonly DialogflowMessage[];
  /** Session parameters after the query. */
  readonly parameters: JsonObject;
  /** Whether the flow or the whole session is over. */
  readonly ended: boolean;
  /** For the trace: page, intent, match, ids. */
  readonly trace: JsonObject;
}

/** A `ResponseMessage`, as far as a conversation by text can carry it. */
export type DialogflowMessage =
  /** `interruptible`: the message's own word on whether the user may speak over it. */
  | { readonly kind: "text"; readonly text: string; readonly interruptible: boolean }
  | { readonly kind: "payload"; readonly payload: JsonObject }
  | { readonly kind: "live-agent-handoff"; readonly metadata: JsonObject }
  | { readonly kind: "call-transfer"; readonly phoneNumber: string }
  /** Nothing of it is shown; `what` is for the trace. */
  | { readonly kind: "left-out"; readonly what: string };

/** Agents of Dialogflow CX, wherever they run. */
export interface DialogflowAgents {
  /** One query of a Dialogflow session. Rejects with a status error. */
  detectIntent(query: DialogflowQuery, signal: AbortSignal, app: string): Promise<DialogflowAnswer>;
}
