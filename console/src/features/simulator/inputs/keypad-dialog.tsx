import { Delete } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Button, IconButton } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { DialogActions } from "../../../components/dialog-actions.tsx";
import "../../../styles/simulator/dialogs.css";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "0", "#"] as const;

interface KeypadDialogProps {
  readonly onClose: () => void;
  readonly onSend: (digits: string) => void;
}

/** The keys of a telephone (DTMF). They may be typed as well; Enter sends. */
export function KeypadDialog({ onClose, onSend }: KeypadDialogProps) {
  const [digits, setDigits] = useState("");
  const send = () => {
    if (!digits) return;
    onSend(digits);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (/^[0-9*#A-Da-d]$/.test(event.key) && !event.ctrlKey && !event.metaKey)
      setDigits((before) => before + event.key);
    else if (event.key === "Backspace") setDigits((before) => before.slice(0, -1));
  };
  return (
    <Dialog title="Keypad" open onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: typing is a short cut; every key has its button */}
      <div className="keypad" onKeyDown={onKeyDown}>
        <div className="row">
          <output className="digits" aria-label="Entered keys">
            {digits || "–"}
          </output>
          <IconButton label="Delete last key" onPress={() => setDigits(digits.slice(0, -1))}>
            <Delete size={18} aria-hidden="true" />
          </IconButton>
        </div>
        <div className="keys">
          {KEYS.map((key, at) => (
            <Button key={key} autoFocus={at === 0} onPress={() => setDigits(digits + key)}>
              {key}
            </Button>
          ))}
        </div>
      </div>
      <DialogActions action="Send keys" isDisabled={!digits} onAction={send} onCancel={onClose} />
    </Dialog>
  );
}
