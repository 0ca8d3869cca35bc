import { createContext, useContext, useEffect } from "react";
import { type FieldErrors, NO_ERRORS } from "../../api/field-errors.ts";
import type { Choice } from "../../components/field.tsx";

/** What a form knows beyond its message. */
export interface FormContext {
  /** Field violations of the server, by path within the resource. */
  readonly errors: FieldErrors;
  /** Resources of this type that the field at this path can name; undefined for types the console does not list. */
  readonly resourcesOf: (type: string, path: string) => readonly Choice<string>[] | undefined;
  /** Told when a field begins and ceases to hold a text that is no value of it. Must be a stable function. */
  readonly onUnreadable?: (path: string, isUnreadable: boolean) => void;
}

const Context = createContext<FormContext>({ errors: NO_ERRORS, resourcesOf: () => undefined });

/** Gives a form its context. */
export const FormProvider = Context.Provider;

/** The context of the form around. */
export function useFormContext(): FormContext {
  return useContext(Context);
}

/** Tells the form that a field holds a text that is no value of it: it is not part of what would be saved. */
export function useUnreadable(path: string, isUnreadable: boolean): void {
  const { onUnreadable } = useFormContext();
  useEffect(() => {
    if (!isUnreadable) return;
    onUnreadable?.(path, true);
    return () => onUnreadable?.(path, false);
  }, [onUnreadable, path, isUnreadable]);
}
