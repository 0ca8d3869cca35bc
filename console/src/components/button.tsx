import type { ReactNode } from "react";
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  Tooltip,
  TooltipTrigger,
} from "react-aria-components";

/** How much a button asks for attention: one primary a view; danger for what cannot be undone. */
type ButtonTone = "primary" | "neutral" | "plain" | "danger";

interface ButtonProps extends Omit<AriaButtonProps, "className" | "style" | "children"> {
  readonly tone?: ButtonTone;
  readonly small?: boolean;
  readonly children: ReactNode;
}

/** A button with words, an icon before them at most. */
export function Button({ tone = "neutral", small = false, children, ...rest }: ButtonProps) {
  return (
    <AriaButton {...rest} className={`button ${tone}${small ? " small" : ""}`}>
      {children}
    </AriaButton>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "children"> {
  /** What the button does: its accessible name, and the tip that shows on hover and focus. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A button that is a picture; its words show when it is pointed at. */
export function IconButton({ label, tone = "plain", small = false, children, ...rest }: IconButtonProps) {
  return (
    <TooltipTrigger delay={400}>
      <AriaButton {...rest} aria-label={label} className={`button icon ${tone}${small ? " small" : ""}`}>
        {children}
      </AriaButton>
      <Tooltip className="popover tip">{label}</Tooltip>
    </TooltipTrigger>
  );
}
