import { Code } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "../../components/button.tsx";
import type { Subject } from "./snippets.ts";

const ConnectDialog = lazy(() => import("./snippet-tabs.tsx").then((view) => ({ default: view.ConnectDialog })));

/** Shows how what is on screen is called from elsewhere. */
export function ConnectButton({ subject }: { readonly subject: Subject }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <Code size={16} aria-hidden="true" /> Get code
      </Button>
      <Suspense>{open && <ConnectDialog subject={subject} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
