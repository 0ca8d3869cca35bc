import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { TextField } from "../../../components/field.tsx";

interface EventDialogProps {
  readonly onClose: () => void;
  readonly onSend: (event: string) => void;
}

/** Sends an event by its name. */
export function EventDialog({ onClose, onSend }: EventDialogProps) {
  const [event, setEvent] = useState("");
  return (
    <Dialog title="Send event" open dismissable={false} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (!event.trim()) return;
          onSend(event.trim());
          onClose();
        }}
      >
        <TextField
          label="Event name"
          value={event}
          onChange={setEvent}
          placeholder="welcome"
          hint="The agent receives the event name. “welcome” starts a conversation."
        />
        <div className="actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button tone="primary" type="submit" isDisabled={!event.trim()}>
            Send event
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
