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
  ListTodo,
  type LucideIcon,
  MessageSquare,
  MessagesSquare,
  Quote,
  Rocket,
  Server,
  Settings,
  ShieldCheck,
  Table2,
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
  /** What one must be allowed to do to use the place: on the app on screen, or on a project. Default nothing. */
  readonly permission?: string;
  /** Marked only on its own page, not on those below it. */
  readonly exact?: boolean;
}

const APP = "/console/projects/$project/locations/$location/apps/$app";

/** Places of the app on screen. */
export const APP_NAVIGATION: readonly NavItem[] = [
  { to: `${APP}/simulator`, label: "Simulator", icon: MessageSquare, permission: "ces.sessions.runSession" },
  { to: `${APP}/conversations`, label: "Conversations", icon: MessagesSquare, permission: "ces.conversations.list" },
  { to: `${APP}/connect`, label: "Connect", icon: Cable, permission: "ces.apps.get" },
  {
    to: `${APP}/agents`,
    label: "Agents",
    icon: Bot,
    group: "Build",
    collection: "agents",
    permission: "ces.agents.list",
  },
  {
    to: `${APP}/tools`,
    label: "Tools",
    icon: Wrench,
    group: "Build",
    collection: "tools",
    permission: "ces.tools.list",
  },
  {
    to: `${APP}/guardrails`,
    label: "Guardrails",
    icon: ShieldCheck,
    group: "Build",
    collection: "guardrails",
    permission: "ces.guardrails.list",
  },
  { to: `${APP}/variables`, label: "Variables", icon: Braces, group: "Build", permission: "ces.apps.get" },
  { to: `${APP}/examples`, label: "Examples", icon: Quote, group: "Build", permission: "ces.examples.list" },
  { to: `${APP}/settings`, label: "Settings", icon: Settings, group: "Build", permission: "ces.apps.get" },
  {
    to: `${APP}/evaluations`,
    label: "Evaluations",
    icon: FlaskConical,
    group: "Evaluate",
    permission: "ces.evaluations.list",
  },
  {
    to: `${APP}/evaluationRuns`,
    label: "Runs",
    icon: ListChecks,
    group: "Evaluate",
    permission: "ces.evaluationRuns.list",
  },
  {
    to: `${APP}/scheduledEvaluationRuns`,
    label: "Schedules",
    icon: CalendarClock,
    group: "Evaluate",
    permission: "ces.scheduledEvaluationRuns.list",
  },
  {
    to: `${APP}/versions`,
    label: "Versions",
    icon: GitCompareArrows,
    group: "Release",
    permission: "ces.appVersions.list",
  },
  {
    to: `${APP}/deployments`,
    label: "Deployments",
    icon: Rocket,
    group: "Release",
    permission: "ces.deployments.list",
  },
  { to: `${APP}/changelogs`, label: "Changelog", icon: History, group: "Release", permission: "ces.changelogs.list" },
];

/** Places of the server. */
export const SERVER_NAVIGATION: readonly NavItem[] = [
  { to: "/console", label: "Apps", icon: LayoutGrid, exact: true },
  { to: "/console/dataAgents", label: "Data agents", icon: ChartColumn },
  { to: "/console/dataFiles", label: "Data", icon: Table2 },
  { to: "/console/operations", label: "Operations", icon: ListTodo },
  { to: "/console/server", label: "Server", icon: Server },
];
