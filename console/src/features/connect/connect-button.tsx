import { Code } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Busy } from "../../components/busy.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import type { Subject } from "./snippets.ts";

const SnippetTabs = lazy(() => import("./snippet-tabs.tsx").then((tabs) => ({ default: tabs.SnippetTabs })));

/** Shows how what is on screen is called from elsewhere. */
export function ConnectButton({ subject }: { readonly subject: Subject }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <Code size={16} aria-hidden="true" /> From code
      </Button>
      <Dialog title="From your own code" open={open} onClose={() => setOpen(false)} wide>
        <Suspense fallback={<Busy>Writing the snippets</Busy>}>
          <SnippetTabs subject={subject} />
        </Suspense>
        <div className="actions">
          <Button onPress={() => setOpen(false)}>Close</Button>
        </div>
      </Dialog>
    </>
  );
}
