import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";

/** What stands in the place of a page that broke. Unsaved changes are kept, so that trying again loses nothing. */
export function PageError({ error }: { readonly error: unknown }) {
  return (
    <EmptyState
      title="This page broke"
      action={<Button onPress={() => window.location.reload()}>Load it again</Button>}
    >
      {error instanceof Error ? error.message : String(error)} Nothing that you typed into an editor is lost.
    </EmptyState>
  );
}
