import { create } from "@bufbuild/protobuf";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { pagePath } from "../../api/resource-names.ts";
import { apps } from "../../api/resource-types.ts";
import { TextField } from "../../components/field.tsx";
import { CreateDialog } from "../resources/create-dialog.tsx";

interface CreateAppDialogProps {
  readonly parent: string;
  readonly onClose: () => void;
}

/** Asks for the name of a new app and where it belongs. */
function CreateAppDialog({ parent, onClose }: CreateAppDialogProps) {
  const navigate = useNavigate();
  const [place, setPlace] = useState(parent);
  return (
    <CreateDialog
      kind={apps}
      parent={place}
      title="Create app"
      hint="For example, Order desk."
      make={(displayName) => create(AppSchema, { displayName })}
      onCreated={({ name }) => void navigate({ to: `${pagePath(name)}/agents` })}
      onClose={onClose}
    >
      <TextField label="Project and location" value={place} onChange={setPlace} />
    </CreateDialog>
  );
}

// biome-ignore lint/style/noDefaultExport: React loads lazy components by their default export
export default CreateAppDialog;
