import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { StatusError } from "../api/status-error.ts";

const ICONS = { error: CircleAlert, warning: TriangleAlert, info: Info } as const;

interface BannerProps {
  readonly tone: keyof typeof ICONS;
  readonly error?: StatusError;
  readonly children?: ReactNode;
}

/** A sentence that must be seen, beside what it is about. */
export function Banner({ tone, error, children }: BannerProps) {
  const Icon = ICONS[tone];
  return (
    <div className={`banner ${tone}`} role={tone === "error" ? "alert" : "status"}>
      <Icon size={18} aria-hidden="true" />
      <div>
        {error && (
          <p>
            {error.message} <code>{error.code}</code>
          </p>
        )}
        {children}
      </div>
    </div>
  );
}
