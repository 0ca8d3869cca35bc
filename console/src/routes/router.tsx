import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  redirect,
} from "@tanstack/react-router";
import { useKnownMay } from "../api/permissions.ts";
import { parseAppName } from "../api/resource-names.ts";
import { mustSignIn, readSession } from "../api/session.ts";
import { toStatusError } from "../api/status-error.ts";
import { useApps } from "../api/use-apps.ts";
import { Banner } from "../components/banner.tsx";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { Loading } from "../components/loading.tsx";
import { readChangelogSearch } from "../features/changelog/changelog-search.ts";
import { readTurnSearch } from "../features/conversations/turn-search.ts";
import {
  readEvaluationSearch,
  readEvaluationsSearch,
  readRunSearch,
} from "../features/evaluations/evaluation-search.ts";
import { readEditSearch } from "../features/resources/use-tab.ts";
import { readVersionSearch } from "../features/versions/base-version.ts";
import { Shell } from "../shell/shell.tsx";
import { currentAddress } from "./old-addresses.ts";

/** Where people who are not known yet go first. */
const SIGN_IN = "/console/sign-in";

const root = createRootRoute({
  component: Shell,
  beforeLoad: async ({ location: { pathname, searchStr, hash }, matches }) => {
    const href = currentAddress(pathname, searchStr);
    if (href !== undefined) throw redirect({ href: hash ? `${href}#${hash}` : href, replace: true });
    // Whoever has the token of a shared answer need not be known.
    const hasToken = hash !== "" && matches.some(({ staticData }) => staticData.alone);
    if (pathname === SIGN_IN || hasToken || !mustSignIn(await readSession())) return;
    const search = new URLSearchParams({ return: pathname + searchStr });
    throw redirect({ href: `${SIGN_IN}?${search}`, replace: true });
  },
  notFoundComponent: lazyPage(() => import("../shell/page-not-found.tsx"), "PageNotFound"),
});

/** Shown when a file of the console is not there. A page that was opened before an upgrade asks for files of the release before. */
const CODE_IS_GONE =
  "The code of this page could not be loaded: the server does not respond, or was upgraded since the page was opened. Reload the page.";

/** How browsers say so of what a page loads later. */
const NOT_LOADED = /dynamically imported module|importing a module script/i;

/** A page whose code loads when it is opened. */
function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
  // The router reloads the whole page after the browser's own error, which loses it while the server is stopped.
  const failed = (cause: unknown) => {
    throw new Error(CODE_IS_GONE, { cause });
  };
  return lazyRouteComponent(() => load().catch(failed), name);
}

/** The address of an app's pages; addresses mirror resource names. */
const APP = "/console/projects/$project/locations/$location/apps/$app";
const app = createRoute({ getParentRoute: () => root, path: APP });

/** Pages load when they are opened. One line a page; a page's file exports its component by name. */
const routes = [
  createRoute({ getParentRoute: () => root, path: "/", component: HomeRoute }),
  createRoute({
    getParentRoute: () => root,
    path: "/console",
    component: lazyPage(() => import("./apps-route.tsx"), "AppsRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/server",
    component: lazyPage(() => import("./server-route.tsx"), "ServerRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/operations",
    component: lazyPage(() => import("./operations-route.tsx"), "OperationsRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/sign-in",
    component: lazyPage(() => import("./sign-in-route.tsx"), "SignInRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/device",
    component: lazyPage(() => import("./device-route.tsx"), "DeviceRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/account",
    component: lazyPage(() => import("./account-route.tsx"), "AccountRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/members",
    component: lazyPage(() => import("./members-route.tsx"), "MembersRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/keys",
    component: lazyPage(() => import("./keys-route.tsx"), "KeysRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/audit",
    component: lazyPage(() => import("./audit-route.tsx"), "AuditRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/quotas",
    component: lazyPage(() => import("./quotas-route.tsx"), "QuotasRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/dataAgents",
    component: lazyPage(() => import("./data-agents/data-agents-route.tsx"), "DataAgentsRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/projects/$project/locations/$location/dataAgents/$agent",
    component: lazyPage(() => import("./data-agents/data-agent-route.tsx"), "DataAgentRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/projects/$project/locations/$location/dataAgents/$agent/sharedAnswers/$answer",
    staticData: { alone: true },
    component: lazyPage(() => import("./data-agents/shared-answer-route.tsx"), "SharedAnswerRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/dataFiles",
    component: lazyPage(() => import("./data-files/pages.ts"), "DataFilesRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/projects/$project/locations/$location/dataFiles/$file",
    component: lazyPage(() => import("./data-files/pages.ts"), "DataFileRoute"),
  }),
  app.addChildren([
    createRoute({
      getParentRoute: () => app,
      path: "/simulator",
      component: lazyPage(() => import("./app/simulator-route.tsx"), "SimulatorRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/connect",
      component: lazyPage(() => import("./app/connect-route.tsx"), "ConnectRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/conversations",
      component: lazyPage(() => import("./app/conversations-route.tsx"), "ConversationsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/conversations/$conversation",
      validateSearch: readTurnSearch,
      component: lazyPage(() => import("./app/conversation-route.tsx"), "ConversationRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/agents",
      validateSearch: readEditSearch,
      component: lazyPage(() => import("./app/agents-route.tsx"), "AgentsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/agents/$agent",
      validateSearch: readEditSearch,
      component: lazyPage(() => import("./app/agent-route.tsx"), "AgentRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/tools",
      validateSearch: readEditSearch,
      component: lazyPage(() => import("./app/tools-route.tsx"), "ToolsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/tools/$tool",
      validateSearch: readEditSearch,
      component: lazyPage(() => import("./app/tool-route.tsx"), "ToolRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/toolsets/$toolset",
      validateSearch: readEditSearch,
      component: lazyPage(() => import("./app/toolset-route.tsx"), "ToolsetRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/guardrails",
      validateSearch: readEditSearch,
      component: lazyPage(() => import("./app/guardrails-route.tsx"), "GuardrailsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/guardrails/$guardrail",
      validateSearch: readEditSearch,
      component: lazyPage(() => import("./app/guardrail-route.tsx"), "GuardrailRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/variables",
      validateSearch: readEditSearch,
      component: lazyPage(() => import("./app/variables-route.tsx"), "VariablesRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/examples",
      validateSearch: readEditSearch,
      component: lazyPage(() => import("./app/examples-route.tsx"), "ExamplesRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/examples/$example",
      validateSearch: readEditSearch,
      component: lazyPage(() => import("./app/example-route.tsx"), "ExampleRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/evaluations",
      validateSearch: readEvaluationsSearch,
      component: lazyPage(() => import("./app/evaluations-route.tsx"), "EvaluationsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/evaluations/$evaluation",
      validateSearch: readEvaluationSearch,
      component: lazyPage(() => import("./app/evaluation-route.tsx"), "EvaluationRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/evaluations/$evaluation/results/$result",
      component: lazyPage(() => import("./app/evaluation-result-route.tsx"), "EvaluationResultRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/evaluationRuns",
      component: lazyPage(() => import("./app/evaluation-runs-route.tsx"), "EvaluationRunsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/evaluationRuns/$run",
      validateSearch: readRunSearch,
      component: lazyPage(() => import("./app/evaluation-run-route.tsx"), "EvaluationRunRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/scheduledEvaluationRuns",
      component: lazyPage(() => import("./app/scheduled-evaluation-runs-route.tsx"), "ScheduledEvaluationRunsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/scheduledEvaluationRuns/$schedule",
      validateSearch: readEditSearch,
      component: lazyPage(() => import("./app/scheduled-evaluation-run-route.tsx"), "ScheduledEvaluationRunRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/versions",
      validateSearch: readEditSearch,
      component: lazyPage(() => import("./app/versions-route.tsx"), "VersionsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/versions/$version",
      validateSearch: readVersionSearch,
      component: lazyPage(() => import("./app/version-route.tsx"), "VersionRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/deployments",
      validateSearch: readEditSearch,
      component: lazyPage(() => import("./app/deployments-route.tsx"), "DeploymentsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/deployments/$deployment",
      validateSearch: readEditSearch,
      component: lazyPage(() => import("./app/deployment-route.tsx"), "DeploymentRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/changelogs",
      validateSearch: readChangelogSearch,
      component: lazyPage(() => import("./app/changelogs-route.tsx"), "ChangelogsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/settings",
      validateSearch: readEditSearch,
      component: lazyPage(() => import("./app/settings-route.tsx"), "SettingsRoute"),
    }),
  ]),
];

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: "intent",
  defaultErrorComponent: PageError,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** Whether the page is shown without the frame of the console, to people who may not be known. */
    alone?: boolean;
  }
}

/** Opens the first app, or the list of apps when there is none. */
function HomeRoute() {
  const apps = useApps();
  if (apps.error) return <Banner tone="error" error={toStatusError(apps.error)} />;
  if (!apps.data) return <Loading>Loading apps…</Loading>;
  const [first] = apps.data;
  return first ? <HomeOf app={first.name} /> : <Navigate to="/console" replace />;
}

/** The first page of an app of which the person may use something. */
function HomeOf({ app: name }: { readonly app: string }) {
  const may = useKnownMay(name);
  if (!may) return <Loading>Loading…</Loading>;
  const params = { ...parseAppName(name) };
  if (may("ces.sessions.runSession")) return <Navigate to={`${APP}/simulator`} params={params} replace />;
  if (may("ces.conversations.list")) return <Navigate to={`${APP}/conversations`} params={params} replace />;
  return <Navigate to="/console" replace />;
}

/** Shown in place of a page that threw. Unsaved edits are stored, so a reload loses nothing. */
function PageError({ error }: { readonly error: unknown }) {
  const message = error instanceof Error ? error.message : String(error);
  return (
    <EmptyState
      title="Something went wrong"
      action={<Button onPress={() => window.location.reload()}>Reload page</Button>}
    >
      {NOT_LOADED.test(message) ? CODE_IS_GONE : message} Your unsaved edits are kept.
    </EmptyState>
  );
}
