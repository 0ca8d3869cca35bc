import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useAccessState } from "../../api/access-token.ts";
import { useSession } from "../../api/session.ts";
import { CodeBlock } from "../../components/code-block.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { type Subject, snippetsFor } from "./snippets.ts";

/** Snippets for what is on screen, one language at a time. */
export function SnippetTabs({ subject }: { readonly subject: Subject }) {
  const isAsked = useSession().authentication === "required";
  const authenticated = useAccessState().token !== "" || isAsked;
  const snippets = useMemo(() => snippetsFor(subject, authenticated), [subject, authenticated]);
  return (
    <>
      {authenticated && (
        <p className="snippet-note">
          This server asks who calls: set <code>FRONTDESK_TOKEN</code> to an access token or an API key
          {isAsked && (
            <>
              , which <Link to={"/console/keys" as never}>Keys</Link> creates
            </>
          )}
          .
        </p>
      )}
      <Tabs
        label="Languages"
        items={snippets.map(({ id, label, note, text, then }) => ({
          id,
          label,
          content: (
            <div className="stack tight">
              <p className="muted snippet-note">{note}</p>
              <CodeBlock text={text} label={`${label} code`} />
              {then && (
                <>
                  <p className="muted snippet-note">{then.note}</p>
                  <CodeBlock text={then.text} label="arguments" />
                </>
              )}
            </div>
          ),
        }))}
      />
    </>
  );
}

interface ConnectDialogProps {
  readonly subject: Subject;
  readonly onClose: () => void;
}

/** The snippets for what is on screen, in front of it. */
export function ConnectDialog({ subject, onClose }: ConnectDialogProps) {
  return (
    <Dialog title="Code samples" open onClose={onClose} wide>
      <SnippetTabs subject={subject} />
    </Dialog>
  );
}
