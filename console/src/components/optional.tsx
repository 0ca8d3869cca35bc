import { CatchBoundary } from "@tanstack/react-router";
import { type ReactNode, Suspense } from "react";

/** What a page is complete without: nothing while its code loads, and nothing where it cannot be loaded. */
export function Optional({ children }: { readonly children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={() => location.pathname} errorComponent={() => null}>
      <Suspense>{children}</Suspense>
    </CatchBoundary>
  );
}
