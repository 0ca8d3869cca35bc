import { createRootRoute, createRoute, createRouter, Outlet } from "@tanstack/react-router";
import { AppRoute } from "./app-route.tsx";
import { HomeRoute } from "./home-route.tsx";

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => <p className="notice">There is no such page.</p>,
});
const home = createRoute({ getParentRoute: () => root, path: "/", component: HomeRoute });
const consoleHome = createRoute({ getParentRoute: () => root, path: "/console", component: HomeRoute });
const app = createRoute({
  getParentRoute: () => root,
  path: "/console/projects/$project/locations/$location/apps/$app",
  component: AppRoute,
});

/** Page addresses mirror resource names. */
export const router = createRouter({ routeTree: root.addChildren([home, consoleHome, app]) });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
