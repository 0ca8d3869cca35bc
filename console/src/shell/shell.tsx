import { Outlet, useRouterState } from "@tanstack/react-router";
import { Menu as MenuIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "../components/button.tsx";
import { AccessNotice } from "../features/access/access-notice.tsx";
import { Brand } from "./brand.tsx";
import { Rail } from "./rail.tsx";

/** The frame of every page: the rail of places, and the place. On a narrow screen the rail comes when it is called. */
export function Shell() {
  const [open, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place closes the rail
  useEffect(() => setOpen(false), [path]);
  return (
    <div className="shell" data-open={open}>
      <a className="button skip-link" href="#content">
        Skip to the content
      </a>
      <header className="topline">
        <IconButton label="Open the menu" onPress={() => setOpen(true)}>
          <MenuIcon size={20} aria-hidden="true" />
        </IconButton>
        <Brand />
      </header>
      {open && (
        <button type="button" className="rail-veil" aria-label="Close the menu" onClick={() => setOpen(false)} />
      )}
      <Rail />
      <main className="content" id="content" tabIndex={-1}>
        <AccessNotice />
        <Outlet />
      </main>
    </div>
  );
}
