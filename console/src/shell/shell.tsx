import { Outlet, useParams, useRouterState } from "@tanstack/react-router";
import { Menu as MenuIcon } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { formatAppName } from "../api/resource-names.ts";
import { IconButton } from "../components/button.tsx";
import { takeFreeFocus } from "../components/free-focus.ts";
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
  useFocusOfPages();
  return (
    <div className="shell" data-open={open} data-assistant={showsAssistant}>
      <a className="button skip-link" href={`#${CONTENT}`}>
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
      <main className="content" id={CONTENT} tabIndex={-1}>
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
const CONTENT = "content";

/** Milliseconds in which a page, or the end of a dialog, may place the focus itself. */
const PLACED_MS = 150;

/**
 * A page that comes after another one gets the focus when nothing has it: what was pressed is gone with the page before, and who cannot see would begin at the top of
 * the document. A page that is loaded leaves it there.
 */
function useFocusOfPages(): void {
  // The page before stays until the code of the next one is there.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const before = useRef(path);
  useEffect(() => {
    const isFirst = before.current === undefined;
    if (before.current === path) return;
    before.current = path;
    if (isFirst) return;
    const timer = setTimeout(() => takeFreeFocus(document.getElementById(CONTENT)), PLACED_MS);
    return () => clearTimeout(timer);
  }, [path]);
}

/** To the button that opened the assistant; on a narrow screen it is in the menu, whose button is there. */
function giveFocusBack(): void {
  const buttons = [ASSISTANT_BUTTON, MENU_BUTTON].map((id) => document.getElementById(id));
  buttons.find((button) => button?.checkVisibility({ visibilityProperty: true }))?.focus();
}
