import { Outlet, useParams, useRouterState } from "@tanstack/react-router";
import { Menu as MenuIcon } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { formatAppName } from "../api/resource-names.ts";
import { IconButton } from "../components/button.tsx";
import { AccessTokenNotice } from "../features/access/access-token.tsx";
import { ConnectionNotice } from "../features/server/connection-notice.tsx";
import { Brand } from "./brand.tsx";
import { ASSISTANT_BUTTON, Sidebar } from "./sidebar.tsx";

const AssistantPanel = lazy(() => import("../features/assistant/assistant-panel.tsx"));

/** A page in its frame, or alone. */
export function Shell() {
  const isAlone = useRouterState({ select: ({ matches }) => matches.some(({ staticData }) => staticData.alone) });
  if (!isAlone) return <Frame />;
  return (
    <>
      <ConnectionNotice />
      <Outlet />
    </>
  );
}

/** The frame of pages: the rail of places, the place, and the assistant beside it. On a narrow screen they come when they are called. */
function Frame() {
  const [open, setOpen] = useState(false);
  const [assisted, setAssisted] = useState(false);
  const { project, location, app } = useParams({ strict: false });
  const name = project && location && app ? formatAppName({ project, location, app }) : "";
  const showsAssistant = assisted && name !== "";
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place closes the rail
  useEffect(() => setOpen(false), [path]);
  return (
    <div className="shell" data-open={open} data-assistant={showsAssistant}>
      <a className="button skip-link" href="#content">
        Skip to content
      </a>
      <header className="topbar">
        <IconButton label="Open menu" id={MENU_BUTTON} onPress={() => setOpen(true)}>
          <MenuIcon size={20} aria-hidden="true" />
        </IconButton>
        <Brand />
      </header>
      {open && (
        <button type="button" className="sidebar-overlay" aria-label="Close menu" onClick={() => setOpen(false)} />
      )}
      <Sidebar
        assisted={assisted}
        onAssist={(next) => {
          setAssisted(next);
          setOpen(false);
        }}
      />
      <main className="content" id="content" tabIndex={-1}>
        <ConnectionNotice />
        <AccessTokenNotice />
        <Outlet />
      </main>
      {showsAssistant && (
        <Suspense>
          <AssistantPanel
            key={name}
            app={name}
            onClose={() => {
              setAssisted(false);
              giveFocusBack();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

const MENU_BUTTON = "menu-button";

/** To the button that opened the assistant; on a narrow screen it is in the menu, whose button is there. */
function giveFocusBack(): void {
  const buttons = [ASSISTANT_BUTTON, MENU_BUTTON].map((id) => document.getElementById(id));
  buttons.find((button) => button?.checkVisibility({ visibilityProperty: true }))?.focus();
}
