import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { EmptyState } from "../components/empty-state.tsx";
import { PageError } from "../components/page-error.tsx";
import { readEditSearch } from "../features/resources/use-tab.ts";
import { Shell } from "../shell/shell.tsx";
import { HomeRoute } from "./home-route.tsx";

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => <EmptyState title="There is no such page">The address may be old or mistyped.</EmptyState>,
});

/** The address of an app's pages; addresses mirror resource names. */
const app = createRoute({
  getParentRoute: () => root,
  path: "/console/projects/$project/locations/$location/apps/$app",
});

/** Pages load when they are opened. One line a page; a page's file exports its component by name. */
const routes = [
  createRoute({ getParentRoute: () => root, path: "/", component: HomeRoute }),
  createRoute({
    getParentRoute: () => root,
    path: "/console",
    component: lazyRouteComponent(() => import("./apps-route.tsx"), "AppsRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/server",
    component: lazyRouteComponent(() => import("./server-route.tsx"), "ServerRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/data",
    component: lazyRouteComponent(() => import("./data/data-agents-route.tsx"), "DataAgentsRoute"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/console/projects/$project/locations/$location/dataAgents/$agent",
    component: lazyRouteComponent(() => import("./data/ask-route.tsx"), "AskRoute"),
  }),
  app.addChildren([
    createRoute({
      getParentRoute: () => app,
      path: "/",
      component: lazyRouteComponent(() => import("./apps/try-route.tsx"), "TryRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/connect",
      component: lazyRouteComponent(() => import("./apps/connect-route.tsx"), "ConnectRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/conversations",
      component: lazyRouteComponent(() => import("./apps/conversations-route.tsx"), "ConversationsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/conversations/$conversation",
      component: lazyRouteComponent(() => import("./apps/conversation-route.tsx"), "ConversationRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/agents",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/agents-route.tsx"), "AgentsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/agents/$agent",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/agent-route.tsx"), "AgentRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/tools",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/tools-route.tsx"), "ToolsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/tools/$tool",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/tool-route.tsx"), "ToolRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/toolsets/$toolset",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/toolset-route.tsx"), "ToolsetRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/guardrails",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/guardrails-route.tsx"), "GuardrailsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/guardrails/$guardrail",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/guardrail-route.tsx"), "GuardrailRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/variables",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/variables-route.tsx"), "VariablesRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/examples",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/examples-route.tsx"), "ExamplesRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/examples/$example",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/example-route.tsx"), "ExampleRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/versions",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/versions-route.tsx"), "VersionsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/versions/$version",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/version-route.tsx"), "VersionRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/deployments",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/deployments-route.tsx"), "DeploymentsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/deployments/$deployment",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/deployment-route.tsx"), "DeploymentRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/changelogs",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/changelogs-route.tsx"), "ChangelogsRoute"),
    }),
    createRoute({
      getParentRoute: () => app,
      path: "/settings",
      validateSearch: readEditSearch,
      component: lazyRouteComponent(() => import("./apps/edit/settings-route.tsx"), "SettingsRoute"),
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
}
