import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Refusal } from "../api/refusal.ts";

const ICONS = { bad: CircleAlert, warning: TriangleAlert, note: Info } as const;

interface BannerProps {
  readonly tone: keyof typeof ICONS;
  readonly refusal?: Refusal;
  readonly children?: ReactNode;
}

/** A sentence that must be seen, beside what it is about. */
export function Banner({ tone, refusal, children }: BannerProps) {
  const Icon = ICONS[tone];
  return (
    <div className={`banner ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <Icon size={18} aria-hidden="true" />
      <div>
        {refusal && (
          <p>
            {refusal.message} <code>{refusal.code}</code>
          </p>
        )}
        {children}
      </div>
    </div>
  );
}
