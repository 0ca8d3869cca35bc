import { clone, create } from "@bufbuild/protobuf";
import { type Duration, DurationSchema } from "@bufbuild/protobuf/wkt";
import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import {
  type App,
  AppSchema,
  ConversationLoggingSettingsSchema,
  LoggingSettingsSchema,
} from "@frontdesk/protos/ces/app";
import { idOf } from "#aip";
import type { PackagedResource } from "../kinds.ts";
import { compareCodePoints } from "../manifest/document.ts";

/** The default retention of conversations: 365 days (`ConversationLoggingSettings.retention_window`). */
const RETENTION: Duration = create(DurationSchema, { seconds: 31_536_000n });

/**
 * An app in the form of exports since July 2026 (PKG-9, PKG-24): the id as name, variables sorted by name, an explicit retention
 * window. Schema properties are sorted by the writer, like all maps. References are display names already.
 */
export function normaliseApp(app: App): App {
  const copy = clone(AppSchema, app);
  copy.name = idOf(app.name);
  copy.variableDeclarations.sort((one, other) => compareCodePoints(one.name, other.name));
  for (const persona of copy.evaluationPersonas) persona.name = idOf(persona.name);
  copy.loggingSettings ??= create(LoggingSettingsSchema);
  copy.loggingSettings.conversationLoggingSettings ??= create(ConversationLoggingSettingsSchema);
  copy.loggingSettings.conversationLoggingSettings.retentionWindow ??= RETENTION;
  return copy;
}

/**
 * A resource in the form of exports since July 2026: the id as name; an agent's tools, children and toolsets sorted by code
 * point, its guardrails and callbacks in the author's order (PKG-24).
 */
export function normaliseResource<Resource extends PackagedResource>(resource: Resource): Resource {
  const named = { ...resource, name: idOf(resource.name) };
  return isAgent(named) ? (sortLists(named) as Resource & Agent) : named;
}

function isAgent(resource: PackagedResource): resource is Agent {
  return resource.$typeName === AgentSchema.typeName;
}

function sortLists(agent: Agent): Agent {
  const copy = clone(AgentSchema, agent);
  copy.tools.sort(compareCodePoints);
  copy.childAgents.sort(compareCodePoints);
  copy.toolsets.sort((one, other) => compareCodePoints(one.toolset, other.toolset));
  for (const { toolIds } of copy.toolsets) toolIds.sort(compareCodePoints);
  return copy;
}
