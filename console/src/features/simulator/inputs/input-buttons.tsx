import type { JsonObject } from "@bufbuild/protobuf";
import { Braces, Grid3x3, Paperclip, Zap } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { IconButton } from "../../../components/button.tsx";
import type { TurnInput } from "../turn-input.ts";

const EventDialog = lazy(() => import("./event-dialog.tsx").then((view) => ({ default: view.EventDialog })));
const KeypadDialog = lazy(() => import("./keypad-dialog.tsx").then((view) => ({ default: view.KeypadDialog })));
const VariablesDialog = lazy(() =>
  import("./variables-dialog.tsx").then((view) => ({ default: view.VariablesDialog })),
);

interface InputButtonsProps {
  readonly app: string;
  readonly disabled: boolean;
  readonly variables: JsonObject;
  readonly onAttach: () => void;
  readonly onSend: (input: TurnInput) => void;
}

/** What can be sent beside words: files, variables, events, keys. */
export function InputButtons({ app, disabled, variables, onAttach, onSend }: InputButtonsProps) {
  const [shown, setShown] = useState<"event" | "keys" | "variables">();
  const close = () => setShown(undefined);
  return (
    <>
      <IconButton label="Attach files" isDisabled={disabled} onPress={onAttach}>
        <Paperclip size={18} aria-hidden="true" />
      </IconButton>
      <IconButton label="Set variables" isDisabled={disabled} onPress={() => setShown("variables")}>
        <Braces size={18} aria-hidden="true" />
      </IconButton>
      <IconButton label="Send event" isDisabled={disabled} onPress={() => setShown("event")}>
        <Zap size={18} aria-hidden="true" />
      </IconButton>
      <IconButton label="Keypad" isDisabled={disabled} onPress={() => setShown("keys")}>
        <Grid3x3 size={18} aria-hidden="true" />
      </IconButton>
      <Suspense>
        {shown === "event" && <EventDialog onClose={close} onSend={(event) => onSend([{ kind: "event", event }])} />}
        {shown === "keys" && <KeypadDialog onClose={close} onSend={(digits) => onSend([{ kind: "keys", digits }])} />}
        {shown === "variables" && (
          <VariablesDialog
            app={app}
            current={variables}
            onClose={close}
            onSend={(values) => onSend([{ kind: "variables", values }])}
          />
        )}
      </Suspense>
    </>
  );
}
