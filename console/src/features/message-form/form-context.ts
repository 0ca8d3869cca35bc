import { createContext, useContext } from "react";
import { type FieldErrors, NO_ERRORS } from "../../api/field-errors.ts";
import type { Choice } from "../../components/field.tsx";

/** What a form knows beyond its message. */
export interface FormContext {
  /** Field violations of the server, by path within the resource. */
  readonly errors: FieldErrors;
  /** Resources of this type that the field at this path can name; undefined for types the console does not list. */
  readonly resourcesOf: (type: string, path: string) => readonly Choice<string>[] | undefined;
}

const Context = createContext<FormContext>({ errors: NO_ERRORS, resourcesOf: () => undefined });

/** Gives a form its context. */
export const FormProvider = Context.Provider;

/** The context of the form around. */
export function useFormContext(): FormContext {
  return useContext(Context);
}
