/** What the generated clients declare and this server does not serve, each with the reason. The drift test fails for an entry that is served by now. */
interface Refused {
  /** As the drift test names it: `v1beta projects.locations.apps.list`, `v1 App.rootAgent`, `v1beta projects.locations.apps.list?filter`. */
  readonly what: string;
  readonly reason: string;
}

export const REFUSED: readonly Refused[] = [
  { what: "v1 EndpointControlPolicy", reason: "no method of v1 takes or returns it" },
  { what: "v1 SecuritySettings", reason: "no method of v1 takes or returns it" },
];

/** Words in the clients' comments that look like values of enums and are none of a field that this server has as an enum. */
export const NO_VALUES: Readonly<Record<string, string>> = {
  AUTH_REQUIRED: "short for TASK_STATE_AUTH_REQUIRED",
  INPUT_REQUIRED: "short for TASK_STATE_INPUT_REQUIRED",
  CONFIRMATION_CARDS: "of client_capabilities, whose other values are unknown: a string",
  NO_INSTRUCTION: "of voice_instruction_mode, whose other values are unknown: a string",
  INVALID_ARGUMENT: "a code of google.rpc.Code",
  REPEATED_FIELD_NAMES_PLURALIZED: "a rule of a linter of definitions",
};

/** Lines of the definitions that are not served, as `definitionFacts` writes them, each with the reason. */
export const REFUSED_DEFINITIONS: Readonly<Record<string, string>> = {
  "field google.cloud.geminidataanalytics.v1beta.SpannerDatabaseReference.region = 2: string":
    "the published definitions have withdrawn it; a database is found by project, instance and database",
  "field google.cloud.geminidataanalytics.v1beta.ParameterizedSecureViewParameters.parameters = 1: map<string, string>":
    "a list of key and value in the published definitions, which has the same bytes",
};
