/** What stands in a manifest or schema where a value was taken out. */
export const ENV_VAR = "$env_var";

/** The file that holds the values taken out. It is JSON in YAML packages too (PKG-20). */
export const ENVIRONMENT_FILE = "environment.json";
