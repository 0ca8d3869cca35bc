import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { storeToken } from "../../api/access-token.ts";
import { renewSession, SIGN_IN_AGAIN } from "../../api/session.ts";
import { Banner } from "../../components/banner.tsx";

/** Signing in happens in another tab, so that nothing is lost in this one, which goes on when somebody comes back to it. */
export function SessionEndedNotice() {
  const queries = useQueryClient();
  useEffect(() => {
    const lookAgain = async () => {
      const { person } = await renewSession();
      if (!person) return;
      storeToken("");
      void queries.invalidateQueries();
    };
    const onFocus = () => void lookAgain();
    window.addEventListener("focus", onFocus);
    return () => window.removeEventListener("focus", onFocus);
  }, [queries]);
  return (
    <div className="access-notice">
      <Banner tone="warning">
        <p>Your session has ended. Your input is kept.</p>
        <a className="button small" href={SIGN_IN_AGAIN} target="_blank" rel="noreferrer">
          Sign in again
        </a>
      </Banner>
    </div>
  );
}
