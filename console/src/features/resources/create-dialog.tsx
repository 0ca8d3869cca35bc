import { type ReactNode, useState } from "react";
import { errorAt, fieldErrors, NO_ERRORS } from "../../api/field-errors.ts";
import type { Resource, ResourceType } from "../../api/resource-types.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { useRefresh } from "../../api/use-resources.ts";
import { Banner } from "../../components/banner.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { TextField } from "../../components/field.tsx";
import { FormProvider } from "../message-form/form-context.ts";
import { useReferences } from "./use-references.ts";

interface CreateDialogProps<Kind extends Resource> {
  readonly kind: Pick<ResourceType<Kind>, "singular" | "field" | "create">;
  readonly parent: string;
  readonly title: string;
  /** What belongs into the name. */
  readonly hint?: string;
  /** More to choose than a name. */
  readonly children?: ReactNode;
  /** The resource with this name. */
  readonly make: (name: string) => Kind;
  /** Why a name cannot be taken; undefined when it can. */
  readonly nameError?: (name: string) => string | undefined;
  /** Fields whose error belongs to the name. */
  readonly nameFields?: readonly string[];
  readonly onCreated: (created: Kind) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a new resource and creates it; the rest is filled in on its own page. */
export function CreateDialog<Kind extends Resource>(props: CreateDialogProps<Kind>) {
  const {
    kind,
    parent,
    title,
    hint,
    children,
    make,
    nameError,
    nameFields = ["display_name"],
    onCreated,
    onClose,
  } = props;
  const [name, setName] = useState("");
  const [running, setRunning] = useState(false);
  const [refused, setRefused] = useState<{
    readonly error: StatusError;
    readonly errors: ReadonlyMap<string, string>;
  }>();
  const refresh = useRefresh();
  const resourcesOf = useReferences(kind.field === "app" ? "" : `${parent}/`);
  const errors = refused?.errors ?? NO_ERRORS;
  const invalid = nameError?.(name.trim());
  const atName = invalid ?? nameFields.map((field) => errorAt(errors, field)).find(Boolean);
  const ready = name.trim() !== "" && invalid === undefined;
  const submit = async () => {
    setRunning(true);
    try {
      const created = await kind.create(parent, make(name.trim()));
      void refresh();
      onCreated(created);
    } catch (error) {
      setRefused({ error: toStatusError(error), errors: fieldErrors(error, kind.field) });
      setRunning(false);
    }
  };
  return (
    <Dialog title={title} open dismissable={false} onClose={onClose}>
      <DialogForm ready={ready && !running} onSubmit={() => void submit()}>
        <TextField label="Name" value={name} onChange={setName} required error={atName} hint={hint} />
        <FormProvider value={{ errors, resourcesOf }}>{children}</FormProvider>
        {refused && !atName && <Banner tone="error" error={refused.error} />}
        <DialogActions
          action={`Create ${kind.singular}`}
          runningLabel="Creating…"
          running={running}
          isDisabled={!ready}
          onCancel={onClose}
        />
      </DialogForm>
    </Dialog>
  );
}
