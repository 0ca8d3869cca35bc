/** Utilities of engine tests: a scripted model, apps in a short form, a session with a real store. Loads no server. */
export { type AppSketch, agentName, appSnapshot, TEST_APP, toolResource } from "./app-snapshot.ts";
export {
  type GuardrailType,
  guarded,
  guardrailSpans,
  POLITICS,
  policy,
  STOP,
  verdict,
} from "./guarded-app.ts";
export { brief, liveSessions, ONE_AGENT, openStream, SESSION } from "./live-stream.ts";
export { call, type ScriptedAnswer, ScriptedModel, say } from "./scripted-model.ts";
export { TEST_CACHE, testSandbox } from "./test-sandbox.ts";
export { spoken, type TestSession, testSession } from "./test-session.ts";
export { CONVERSATION, diagnostics, shape } from "./turn-diagnostics.ts";
