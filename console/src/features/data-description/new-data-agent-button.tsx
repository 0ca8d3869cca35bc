import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useMay } from "../../api/permissions.ts";
import { useProjects } from "../../api/projects.ts";
import { Button } from "../../components/button.tsx";

const NewDataAgent = lazy(() => import("./new-data-agent.tsx").then((view) => ({ default: view.NewDataAgent })));

interface NewDataAgentButtonProps {
  /** The project in which it is made; default the first one that the person sees. */
  readonly project?: string;
}

/** Opens the dialog that makes a data agent; nothing for people who may not. */
export function NewDataAgentButton({ project }: NewDataAgentButtonProps) {
  const [first = ""] = useProjects();
  const [open, setOpen] = useState(false);
  const own = project || first;
  const may = useMay(own);
  if (!may("geminidataanalytics.dataAgents.create")) return null;
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <Plus size={16} aria-hidden="true" /> New data agent
      </Button>
      {open && (
        <Suspense>
          <NewDataAgent parent={`${own}/locations/us`} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
