import { Link } from "@tanstack/react-router";
import { useIsLocked } from "../../api/permissions.ts";
import { pagePath, parentApp } from "../../api/resource-names.ts";
import { Banner } from "../../components/banner.tsx";

interface LockedNoticeProps {
  /** The app, or something in it. */
  readonly name: string;
  /** Whether the page has the switch that unlocks the app. Default false. */
  readonly unlocks?: boolean;
}

/** Why nothing of a locked app can be saved, and where it is unlocked. Nothing for any other. */
export function LockedNotice({ name, unlocks = false }: LockedNoticeProps) {
  if (!useIsLocked(name)) return null;
  return (
    <Banner tone="info">
      The app is locked, and refuses changes.{" "}
      {unlocks ? (
        "Nothing else is saved before Locked is switched off."
      ) : (
        <>
          To change it, unlock it in <Link to={`${pagePath(parentApp(name))}/settings`}>its settings</Link>.
        </>
      )}
    </Banner>
  );
}
