/** Utilities of engine tests: a scripted model, apps in a short form, a session with a real store. Loads no server. */
export {
  type AgentSketch,
  type AppSketch,
  agentName,
  appSnapshot,
  pythonTool,
  TEST_APP,
  toolResource,
} from "./app-snapshot.ts";
export { call, type ScriptedAnswer, ScriptedModel, say } from "./scripted-model.ts";
export { TEST_CACHE, testSandbox } from "./test-sandbox.ts";
export {
  type SendOptions,
  spoken,
  type TestInput,
  type TestSession,
  type TestSessionOptions,
  testSession,
} from "./test-session.ts";
