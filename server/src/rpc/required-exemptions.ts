/**
 * Fields that the definitions call REQUIRED but that real apps leave out, so that refusing them would refuse apps which
 * the hosted product runs. By full name, with the reason.
 */
export const REQUIRED_EXEMPTIONS: ReadonlyMap<string, string> = new Map([
  ["google.cloud.ces.v1beta.App.VariableDeclaration.description", "exported variables often have none"],
  ["google.cloud.ces.v1beta.TriggerAction.GenerativeAnswer.prompt", "exported guardrails leave it to the default"],
  ["google.cloud.ces.v1beta.DataStoreTool.EngineSource.engine", "exports blank it, because it names a project"],
  ["google.cloud.ces.v1beta.Evaluation.Scenario.rubrics", "scenarios without rubrics are judged by their expectations"],
  ["google.cloud.ces.v1beta.Evaluation.Scenario.scenario_expectations", "scenarios may have rubrics only"],
  [
    "google.cloud.geminidataanalytics.v1beta.Context.datasource_references",
    "agents are made before their data is named",
  ],
]);

/**
 * Fields whose inside is not looked at. What clients send back of a stream may be whatever they kept of it, and agents are told at
 * their first question what they lack, as hosted.
 */
export const UNCHECKED_INSIDE: ReadonlySet<string> = new Set([
  "google.cloud.geminidataanalytics.v1beta.ChatRequest.messages",
  "google.cloud.geminidataanalytics.v1beta.CreateDataAgentRequest.data_agent",
  "google.cloud.geminidataanalytics.v1beta.UpdateDataAgentRequest.data_agent",
]);
