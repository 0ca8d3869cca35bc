import { createContext, type ReactNode, useContext } from "react";

const Context = createContext(false);

/** Says of all fields inside whether they only show their values. Default false. */
export const ReadOnly = Context.Provider;

/** Whether fields here only show their values. */
export function useReadOnly(): boolean {
  return useContext(Context);
}

/** What only somebody needs who may change the values around: buttons that add, move and remove. */
export function WhileEditing({ children }: { readonly children: ReactNode }) {
  return useReadOnly() ? null : children;
}
