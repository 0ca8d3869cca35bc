import { ModelSettings_ThinkingLevel as Level, type ModelSettings } from "@frontdesk/protos/ces/common";
import type { ThinkingLevel } from "./contract.ts";

const LEVELS: Readonly<Partial<Record<Level, ThinkingLevel>>> = {
  [Level.MINIMAL]: "minimal",
  [Level.LOW]: "low",
  [Level.MEDIUM]: "medium",
  [Level.HIGH]: "high",
};

/** The level that settings of the API name; undefined = none. */
export function thinkingLevelOf(settings: Pick<ModelSettings, "thinkingLevel"> | undefined): ThinkingLevel | undefined {
  return settings && LEVELS[settings.thinkingLevel];
}
