import { create } from "@bufbuild/protobuf";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { apps } from "../../api/kinds/apps.ts";
import { addressOf } from "../../api/resource-address.ts";
import { Field } from "../../components/field.tsx";
import { CreateDialog } from "../resources/create-dialog.tsx";

interface NewAppDialogProps {
  readonly parent: string;
  readonly onClose: () => void;
}

/** Asks for the name of a new app and where it belongs. */
function NewAppDialog({ parent, onClose }: NewAppDialogProps) {
  const navigate = useNavigate();
  const [place, setPlace] = useState(parent);
  return (
    <CreateDialog
      kind={apps}
      parent={place}
      title="New app"
      hint="What the agent is for, e.g. Order desk."
      make={(displayName) => create(AppSchema, { displayName })}
      onCreated={({ name }) => void navigate({ to: `${addressOf(name)}/agents` })}
      onClose={onClose}
    >
      <Field label="Project and location" value={place} onChange={setPlace} />
    </CreateDialog>
  );
}

// biome-ignore lint/style/noDefaultExport: React loads lazy components by their default export
export default NewAppDialog;
