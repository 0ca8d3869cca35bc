import { ExampleSchema } from "@frontdesk/protos/ces/example";
import { defineResource } from "../define-resource.ts";
import { withDerived } from "../with-derived.ts";
import { hasDanglingReference, withDisplayNames } from "./display-names.ts";

/** Examples: recorded conversations. One that refers to what was deleted stays, marked invalid (Example.invalid's comment). */
export const examples = defineResource(ExampleSchema, "app", {
  keepsRecordedReferences: true,
  deriveFromState: async (example, state) =>
    withDerived(ExampleSchema, withDisplayNames(ExampleSchema, example, state), {
      invalid: hasDanglingReference(ExampleSchema, example, state),
    }),
});
