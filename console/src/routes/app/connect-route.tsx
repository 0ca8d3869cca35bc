import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { formatAppName } from "../../api/resource-names.ts";
import { Page } from "../../components/page.tsx";
import { SnippetTabs } from "../../features/connect/snippet-tabs.tsx";
import type { Subject } from "../../features/connect/snippets.ts";
import { WidgetSetup } from "../../features/connect/widget-setup.tsx";
import "../../styles/connect.css";

/** How programs and pages reach the app. */
export function ConnectRoute() {
  const app = formatAppName(useParams({ from: "/console/projects/$project/locations/$location/apps/$app/connect" }));
  const subject = useMemo<Subject>(() => ({ kind: "app", origin: window.location.origin, app }), [app]);
  return (
    <Page title="Connect" narrow>
      <div className="stack connect">
        <section className="stack tight">
          <h2>Code samples</h2>
          <SnippetTabs subject={subject} />
        </section>
        <section className="stack tight">
          <h2>Chat widget</h2>
          <p className="muted snippet-note">Add a chat to your site with one script and one element.</p>
          <WidgetSetup app={app} />
        </section>
      </div>
    </Page>
  );
}
