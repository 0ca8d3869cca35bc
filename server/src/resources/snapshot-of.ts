import { clone, create } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { type AppSnapshot, AppSnapshotSchema } from "@frontdesk/protos/ces/app_version";
import { ExampleSchema } from "@frontdesk/protos/ces/example";
import { GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import type { AppState } from "./app-state.ts";

/** The app as a snapshot; a copy of the app's own message, the rest shared with the state. */
export function snapshotOf(state: AppState): AppSnapshot {
  const { app } = state;
  return create(AppSnapshotSchema, {
    ...(app && { app: clone(AppSchema, app) }),
    agents: [...state.list(AgentSchema)],
    tools: [...state.list(ToolSchema)],
    examples: [...state.list(ExampleSchema)],
    guardrails: [...state.list(GuardrailSchema)],
    toolsets: [...state.list(ToolsetSchema)],
  });
}
