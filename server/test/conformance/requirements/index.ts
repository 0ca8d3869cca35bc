import { ADDRESSES } from "./addresses.ts";
import { CALLBACKS } from "./callbacks.ts";
import { CALLS } from "./calls.ts";
import { DATA } from "./data.ts";
import { ELSEWHERE } from "./elsewhere.ts";
import { GUARDRAILS } from "./guardrails.ts";
import { LIVE } from "./live.ts";
import { RELEASES } from "./releases.ts";
import type { Requirement } from "./requirement.ts";
import { RESOURCES } from "./resources.ts";
import { SESSIONS } from "./sessions.ts";
import { SHOWN } from "./shown.ts";
import { TOOLS } from "./tools.ts";
import { TROUBLE } from "./trouble.ts";
import { TURNS } from "./turns.ts";

/** Everything the server promises on its wires, by id. */
export const REQUIREMENTS: Readonly<Record<string, Requirement>> = {
  ...RESOURCES,
  ...SESSIONS,
  ...LIVE,
  ...TOOLS,
  ...TURNS,
  ...CALLBACKS,
  ...CALLS,
  ...GUARDRAILS,
  ...DATA,
  ...ELSEWHERE,
  ...SHOWN,
  ...ADDRESSES,
  ...RELEASES,
  ...TROUBLE,
};

export type RequirementId =
  | keyof typeof RESOURCES
  | keyof typeof SESSIONS
  | keyof typeof LIVE
  | keyof typeof TOOLS
  | keyof typeof TURNS
  | keyof typeof CALLBACKS
  | keyof typeof CALLS
  | keyof typeof GUARDRAILS
  | keyof typeof DATA
  | keyof typeof ELSEWHERE
  | keyof typeof SHOWN
  | keyof typeof ADDRESSES
  | keyof typeof RELEASES
  | keyof typeof TROUBLE;
