import { useState } from "react";
import { Dialog } from "../../../components/dialog.tsx";
import { DialogActions } from "../../../components/dialog-actions.tsx";
import { DialogForm } from "../../../components/dialog-form.tsx";
import { TextField } from "../../../components/field.tsx";

interface EventDialogProps {
  readonly onClose: () => void;
  readonly onSend: (event: string) => void;
}

/** Sends an event by its name. */
export function EventDialog({ onClose, onSend }: EventDialogProps) {
  const [event, setEvent] = useState("");
  const name = event.trim();
  const send = () => {
    onSend(name);
    onClose();
  };
  return (
    <Dialog title="Send event" open dismissable={false} onClose={onClose}>
      <DialogForm ready={name !== ""} onSubmit={send}>
        <TextField
          label="Event name"
          value={event}
          onChange={setEvent}
          placeholder="welcome"
          hint="The agent receives the event name. “welcome” starts a conversation."
        />
        <DialogActions action="Send event" isDisabled={name === ""} onCancel={onClose} />
      </DialogForm>
    </Dialog>
  );
}
