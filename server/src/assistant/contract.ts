import type { CreateAssistantSessionRequest } from "@frontdesk/protos/ces/assistant_service";
import type {
  AssistantConfirmationResponse,
  AssistantMessage,
  AssistantSession,
  AssistantSuggestion,
  OperationCompletedEvent,
} from "@frontdesk/protos/ces/assistant_session";
import type { StreamChatAiAssistantResponse } from "@frontdesk/protos/ces/session_service";
import type { Clock, Ids, Logger, ObjectStorage } from "#base";
import type { Generation, GenerationModels } from "#generation";
import type { Resources } from "#resources";

/** Who talks with the assistant. */
export interface AssistantCaller {
  /** For the change log and the version that is made before a change; "" when unknown. */
  readonly author: string;
  /** The models that who asks is charged for. */
  readonly models: GenerationModels;
}

/** What a person sends. One of message, confirmation and operation is required. */
export interface AssistantInput {
  /** Resource name of the assistant session. */
  readonly session: string;
  readonly message: string;
  /** Files in Cloud Storage. */
  readonly attachedGcsUris: readonly string[];
  readonly confirmation?: AssistantConfirmationResponse | undefined;
  /** A long-running operation that the client started has ended. */
  readonly operation?: OperationCompletedEvent | undefined;
  /** Whether the client shows confirmations as cards; for others they are text, and the message `apply` confirms. */
  readonly showsConfirmations: boolean;
}

/** One exchange. It goes on without its client. */
export interface AssistantTurn {
  readonly id: string;
  /** All its events from the first, as they come; the last is `turn_completed`. */
  follow(): AsyncGenerator<StreamChatAiAssistantResponse, void>;
  /** A snapshot of what was told so far, then the rest. */
  resume(): AsyncGenerator<StreamChatAiAssistantResponse, void>;
  /** Its outcome; rejects with a status error when it failed or was cancelled. */
  readonly outcome: Promise<AssistantOutcome>;
}

/** What a turn of the assistant came to. */
export interface AssistantOutcome {
  readonly message: AssistantMessage;
  readonly suggestions: readonly string[];
  readonly state: AssistantState;
}

/** What a session does (ASST-1). */
export type AssistantState = "IDLE" | "RUNNING" | "AWAITING_CONFIRMATION";

/** The assistant that helps to build apps: it talks, proposes changes, and stores those that a person confirms. */
export interface Assistant {
  /** NOT_FOUND for an unknown app, ALREADY_EXISTS, INVALID_ARGUMENT for an id or a seed that cannot be. */
  create(request: CreateAssistantSessionRequest, author: string): Promise<AssistantSession>;
  /** A stored session as it is now: a turn that a stopped server was running is over. */
  shown(session: AssistantSession): AssistantSession;
  /**
   * Starts a turn. Before it starts: NOT_FOUND for an unknown session, INVALID_ARGUMENT, FAILED_PRECONDITION without a language model, while another turn
   * runs, and for a confirmation that has expired.
   */
  begin(input: AssistantInput, caller: AssistantCaller): Promise<AssistantTurn>;
  /** The turn that runs, or the last one of this server. FAILED_PRECONDITION when there is none. */
  attach(session: string): Promise<AssistantTurn>;
  /** Ends the turn that runs; `turn`: only this one, "" = any. Returns whether there was one. */
  cancel(session: string, turn: string): boolean;
  /** What could be done next with an app, the most useful first. FAILED_PRECONDITION without a language model. */
  suggest(app: string, most: number, models: GenerationModels): Promise<OnboardingSuggestions>;
  /** Cancels what runs and waits for it. */
  close(): Promise<void>;
}

interface OnboardingSuggestions {
  readonly suggestions: readonly AssistantSuggestion[];
  readonly userProfile: string;
}

export interface AssistantDeps {
  readonly resources: Pick<Resources, "assistantRecords" | "tree" | "standard">;
  readonly generation: Pick<Generation, "revise">;
  readonly objects: Pick<ObjectStorage, "read" | "check">;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}
