import { Outlet, useRouterState } from "@tanstack/react-router";
import { Menu as MenuIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "../components/button.tsx";
import { AccessTokenNotice } from "../features/access/access-token.tsx";
import { ConnectionNotice } from "../features/server/connection-notice.tsx";
import { Brand } from "./brand.tsx";
import { Sidebar } from "./sidebar.tsx";

/** The frame of every page: the rail of places, and the place. On a narrow screen the rail comes when it is called. */
export function Shell() {
  const [open, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place closes the rail
  useEffect(() => setOpen(false), [path]);
  return (
    <div className="shell" data-open={open}>
      <a className="button skip-link" href="#content">
        Skip to content
      </a>
      <header className="topbar">
        <IconButton label="Open menu" onPress={() => setOpen(true)}>
          <MenuIcon size={20} aria-hidden="true" />
        </IconButton>
        <Brand />
      </header>
      {open && (
        <button type="button" className="sidebar-overlay" aria-label="Close menu" onClick={() => setOpen(false)} />
      )}
      <Sidebar />
      <main className="content" id="content" tabIndex={-1}>
        <ConnectionNotice />
        <AccessTokenNotice />
        <Outlet />
      </main>
    </div>
  );
}
