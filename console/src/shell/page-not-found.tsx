import { Link, useRouterState } from "@tanstack/react-router";
import { pagePath } from "../api/resource-names.ts";
import { Page } from "../components/page.tsx";

const APP = /^\/console\/(?<app>projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+)\//;

/** Shown at an address that has no page: what was asked for, and the ways back. */
export function PageNotFound() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const app = APP.exec(path)?.groups?.app;
  return (
    <Page title="Page not found">
      <div className="stack">
        <p className="page-text">
          There is no page at <code>{path}</code>. The address may be outdated or mistyped.
        </p>
        <div className="row wrap">
          {app && (
            <Link className="button primary" to={`${pagePath(app)}/simulator`}>
              Open the app
            </Link>
          )}
          <Link className={app ? "button" : "button primary"} to="/console">
            All apps
          </Link>
        </div>
      </div>
    </Page>
  );
}
