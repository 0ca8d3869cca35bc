/**
 * Registered methods that have no handler yet, by name of their service. They answer UNIMPLEMENTED. A handler takes its line away; a method that is
 * never to be served belongs among the refused ones instead, with the reason.
 */
export const PENDING_METHODS: readonly string[] = [
  "google.cloud.ces.v1beta.AssistantService.ChatAiAssistant",
  "google.cloud.ces.v1beta.AssistantService.CreateAssistantSession",
  "google.cloud.ces.v1beta.AssistantService.DeleteAssistantSession",
  "google.cloud.ces.v1beta.AssistantService.GetAssistantSession",
  "google.cloud.ces.v1beta.AssistantService.ListAssistantSessions",
  "google.cloud.ces.v1beta.AssistantService.RunAssistant",
  "google.cloud.ces.v1beta.SessionService.CancelAssistantTurn",
  "google.cloud.ces.v1beta.SessionService.GenerateOnboardingSuggestions",
  "google.cloud.ces.v1beta.SessionService.StreamChatAiAssistant",
];
