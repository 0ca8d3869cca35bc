import type { DescMessage, Message } from "@bufbuild/protobuf";
import { type ComponentType, createContext, useContext } from "react";

/** What the form of a message within a message gets. */
interface NestedFormProps {
  readonly desc: DescMessage;
  readonly value: Message;
  readonly onChange: (next: Message) => void;
  readonly path: string;
}

const Context = createContext<ComponentType<NestedFormProps> | undefined>(undefined);

/** Provides the component that renders nested messages, so that the editors need not import the form that contains them. */
export const NestedFormProvider = Context.Provider;

/** The form that renders nested messages. */
export function useNestedForm(): ComponentType<NestedFormProps> {
  const form = useContext(Context);
  if (!form) throw new Error("a message is edited outside of a form");
  return form;
}
