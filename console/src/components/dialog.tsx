import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** Whether a click outside closes it; not where text would be lost. Default true. */
  readonly dismissable?: boolean;
  readonly children: ReactNode;
}

/** A question in front of the page. Escape closes it, and the focus goes back to where it was. */
export function Dialog({ title, open, onClose, wide = false, dismissable = true, children }: DialogProps) {
  return (
    <ModalOverlay
      className="dialog-overlay"
      isOpen={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isDismissable={dismissable}
    >
      <Modal className={wide ? "dialog wide" : "dialog"}>
        <AriaDialog style={{ outline: "none" }}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
