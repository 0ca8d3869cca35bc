import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { SIGN_IN_AGAIN, useSession } from "../api/session.ts";
import { isUnauthenticated, type StatusError } from "../api/status-error.ts";

const ICONS = { error: CircleAlert, warning: TriangleAlert, info: Info } as const;

interface BannerProps {
  readonly tone: keyof typeof ICONS;
  readonly error?: StatusError;
  readonly children?: ReactNode;
}

/** A sentence that must be seen, beside what it is about. */
export function Banner({ tone, error, children }: BannerProps) {
  const Icon = ICONS[tone];
  return (
    <div className={`banner ${tone}`} role={tone === "error" ? "alert" : "status"}>
      <Icon size={18} aria-hidden="true" />
      <div>
        {error && <Reason error={error} />}
        {children}
      </div>
    </div>
  );
}

/** What went wrong. When the session has ended, the way to go on: a dialog covers the notice on the page. */
function Reason({ error }: { readonly error: StatusError }) {
  const { authentication } = useSession();
  if (!isUnauthenticated(error) || authentication === "off")
    return (
      <p>
        {error.message} <code>{error.code}</code>
      </p>
    );
  return (
    <p>
      You are signed out. What you typed is kept:{" "}
      <a href={SIGN_IN_AGAIN} target="_blank" rel="noreferrer">
        sign in again
      </a>{" "}
      in another tab, and repeat this here.
    </p>
  );
}
