import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { IconButton } from "./button.tsx";

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** Whether a click outside closes it; not where text would be lost. Default true. */
  readonly dismissable?: boolean;
  /** Whether only its own buttons close it, and neither Escape nor the one beside the title: for what is shown once. Default false. */
  readonly shownOnce?: boolean;
  readonly children: ReactNode;
}

/** A question in front of the page. Escape and the button beside its title close it, and the focus goes back to where it was. */
export function Dialog({
  title,
  open,
  onClose,
  wide = false,
  dismissable = true,
  shownOnce = false,
  children,
}: DialogProps) {
  return (
    <ModalOverlay
      className="dialog-overlay"
      isOpen={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isDismissable={dismissable && !shownOnce}
      isKeyboardDismissDisabled={shownOnce}
    >
      <Modal className={wide ? "dialog wide" : "dialog"}>
        <AriaDialog style={{ outline: "none" }}>
          <header className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {!shownOnce && (
              <IconButton small label="Close" onPress={onClose}>
                <X size={18} aria-hidden="true" />
              </IconButton>
            )}
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
