/**
 * Fields that the definitions call REQUIRED and real apps leave out: insisting on them would reject apps that the hosted product
 * runs. By full name, with the reason.
 */
export const REQUIRED_EXEMPTIONS: ReadonlyMap<string, string> = new Map([
  ["google.cloud.ces.v1beta.App.VariableDeclaration.description", "exported variables often have none"],
  ["google.cloud.ces.v1beta.TriggerAction.GenerativeAnswer.prompt", "exported guardrails leave it to the default"],
  ["google.cloud.ces.v1beta.DataStoreTool.EngineSource.engine", "exports blank it, because it names a project"],
  ["google.cloud.ces.v1beta.Evaluation.Scenario.rubrics", "scenarios without rubrics are judged by their expectations"],
  ["google.cloud.ces.v1beta.Evaluation.Scenario.scenario_expectations", "scenarios may have rubrics only"],
  [
    "google.cloud.ces.v1beta.GenerateAppResourceRequest.ToolGenerationConfig.OpenApiToolsetGenerationConfig.OperationGenerationConfig.request_json",
    "its comment says to leave it out for operations without a body",
  ],
  [
    "google.cloud.geminidataanalytics.v1beta.Context.datasource_references",
    "agents are made before their data is named",
  ],
]);

/**
 * Message fields whose own fields are not checked. Clients send back what they stored of a stream, and what a data agent lacks is
 * reported at its first question, as in the hosted product.
 */
export const UNCHECKED_INSIDE: ReadonlySet<string> = new Set([
  // Its comment: empty for generating a new agent.
  "google.cloud.ces.v1beta.GenerateAppResourceRequest.agent",
  "google.cloud.geminidataanalytics.v1beta.ChatRequest.messages",
  "google.cloud.geminidataanalytics.v1beta.CreateDataAgentRequest.data_agent",
  "google.cloud.geminidataanalytics.v1beta.UpdateDataAgentRequest.data_agent",
]);
