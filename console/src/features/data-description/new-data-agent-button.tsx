import { Plus } from "lucide-react";
import { lazy } from "react";
import { useMay } from "../../api/permissions.ts";
import { useProjects } from "../../api/projects.ts";
import { DialogButton } from "../../components/dialog-button.tsx";

const NewDataAgent = lazy(() => import("./new-data-agent.tsx").then((view) => ({ default: view.NewDataAgent })));

interface NewDataAgentButtonProps {
  /** The project in which it is made; default the first one that the person sees. */
  readonly project?: string;
}

/** Opens the dialog that makes a data agent; nothing for people who may not. */
export function NewDataAgentButton({ project }: NewDataAgentButtonProps) {
  const [first = ""] = useProjects();
  const own = project || first;
  const may = useMay(own);
  if (!may("geminidataanalytics.dataAgents.create")) return null;
  return (
    <DialogButton dialog={(close) => <NewDataAgent parent={`${own}/locations/us`} onClose={close} />}>
      <Plus size={16} aria-hidden="true" /> New data agent
    </DialogButton>
  );
}
