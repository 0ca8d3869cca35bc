import { Conversation_Source as Source } from "@frontdesk/protos/ces/conversation";

/** Where a conversation came from, in words. */
export const SOURCE_NAMES: Readonly<Record<Source, string>> = {
  [Source.SOURCE_UNSPECIFIED]: "Unknown",
  [Source.LIVE]: "Live",
  [Source.SIMULATOR]: "Simulator",
  [Source.EVAL]: "Evaluation",
  [Source.AGENT_TOOL]: "Agent tool",
};
