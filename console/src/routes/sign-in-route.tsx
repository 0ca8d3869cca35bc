import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { useAccessState } from "../api/access-token.ts";
import { mustSignIn, renewSession, useSession } from "../api/session.ts";
import { Banner } from "../components/banner.tsx";
import { Button } from "../components/button.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { Page } from "../components/page.tsx";

const FAULTS: Readonly<Record<string, string>> = {
  denied: "The sign-in was cancelled, or your provider did not allow it.",
  expired: "The link was used before or is too old, or the sign-in took longer than ten minutes.",
  failed: "The sign-in failed. The log of the server has the reason.",
  refused: "Your provider may not vouch for this account here.",
  "no-issuer": "This server has no provider to sign in at.",
};

const TokenDialog = lazy(() =>
  import("../features/access/token-dialog.tsx").then((file) => ({ default: file.TokenDialog })),
);

/** Where people sign in: at the issuer of the server, by a one-time link, or with a token. */
export function SignInRoute() {
  const { return: returnTo = "/", fault } = useSearch({ strict: false }) as { return?: string; fault?: string };
  const session = useSession();
  const { token } = useAccessState();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [isRead, setRead] = useState(false);
  useEffect(() => void renewSession().then(() => setRead(true)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a token lets the person in as well
  useEffect(() => {
    if (isRead && !mustSignIn(session)) void navigate({ href: localPath(returnTo), replace: true });
  }, [session, token, returnTo, isRead]);
  const issuer = session.signIn?.issuer;
  return (
    <Page title="Sign in" narrow>
      <div className="stack">
        {fault && <Banner tone="error">{FAULTS[fault] ?? FAULTS.failed}</Banner>}
        {issuer ? <AtIssuer issuer={issuer} returnTo={returnTo} /> : <ByLink />}
        <p className="page-text muted">
          If you have an access token or an API key, you can use it in this tab instead.
        </p>
        <div className="row">
          <Button onPress={() => setOpen(true)}>Use an access token</Button>
        </div>
      </div>
      {open && (
        <Suspense>
          <TokenDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Page>
  );
}

function AtIssuer({ issuer, returnTo }: { readonly issuer: string; readonly returnTo: string }) {
  return (
    <>
      <p className="page-text">
        This server asks who you are. You sign in at your provider and come back to where you were.
      </p>
      <div className="row">
        <a className="button primary" href={`/auth/login?${new URLSearchParams({ return: localPath(returnTo) })}`}>
          Sign in with {issuer}
        </a>
      </div>
    </>
  );
}

function ByLink() {
  return (
    <>
      <p className="page-text">
        This server asks who you are. When it started, it printed a link that signs you in as its operator. Whoever can
        read its data folder makes further links:
      </p>
      <CodeBlock
        text={"npx --no frontdesk auth link\nnpx --no frontdesk auth link --user you@example.com"}
        label="commands"
      />
    </>
  );
}

/** An address of another site would let a link send people anywhere. */
function localPath(path: string): string {
  return /^\/(?![/\\])/.test(path) ? path : "/";
}
