import {
  Bot,
  Braces,
  Cable,
  CalendarClock,
  ChartColumn,
  FlaskConical,
  GitCompareArrows,
  History,
  LayoutGrid,
  ListChecks,
  type LucideIcon,
  MessageSquare,
  MessagesSquare,
  Quote,
  Rocket,
  Server,
  Settings,
  ShieldCheck,
  Wrench,
} from "lucide-react";

/** A place of the rail: where it leads, as the router writes addresses. */
export interface NavItem {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Heading of its group. */
  readonly group?: string;
  /** Of what it lists, when that has code. */
  readonly collection?: "agents" | "tools" | "guardrails";
  /** Marked only on its own page, not on those below it. */
  readonly exact?: boolean;
}

const APP = "/console/projects/$project/locations/$location/apps/$app";

/** Places of the app on screen. */
export const APP_NAVIGATION: readonly NavItem[] = [
  { to: `${APP}/simulator`, label: "Simulator", icon: MessageSquare },
  { to: `${APP}/conversations`, label: "Conversations", icon: MessagesSquare },
  { to: `${APP}/connect`, label: "Connect", icon: Cable },
  { to: `${APP}/agents`, label: "Agents", icon: Bot, group: "Build", collection: "agents" },
  { to: `${APP}/tools`, label: "Tools", icon: Wrench, group: "Build", collection: "tools" },
  { to: `${APP}/guardrails`, label: "Guardrails", icon: ShieldCheck, group: "Build", collection: "guardrails" },
  { to: `${APP}/variables`, label: "Variables", icon: Braces, group: "Build" },
  { to: `${APP}/examples`, label: "Examples", icon: Quote, group: "Build" },
  { to: `${APP}/settings`, label: "Settings", icon: Settings, group: "Build" },
  { to: `${APP}/evaluations`, label: "Evaluations", icon: FlaskConical, group: "Evaluate" },
  { to: `${APP}/evaluationRuns`, label: "Runs", icon: ListChecks, group: "Evaluate" },
  { to: `${APP}/scheduledEvaluationRuns`, label: "Schedules", icon: CalendarClock, group: "Evaluate" },
  { to: `${APP}/versions`, label: "Versions", icon: GitCompareArrows, group: "Release" },
  { to: `${APP}/deployments`, label: "Deployments", icon: Rocket, group: "Release" },
  { to: `${APP}/changelogs`, label: "Changelog", icon: History, group: "Release" },
];

/** Places of the server. */
export const SERVER_NAVIGATION: readonly NavItem[] = [
  { to: "/console", label: "Apps", icon: LayoutGrid, exact: true },
  { to: "/console/dataAgents", label: "Data agents", icon: ChartColumn },
  { to: "/console/server", label: "Server", icon: Server },
];
