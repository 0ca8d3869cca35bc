/** A wire that the API is served on. */
export type Surface = "rest" | "grpc" | "grpc-web" | "connect";

export const SURFACES: readonly Surface[] = ["rest", "grpc", "grpc-web", "connect"];

/** A behaviour that the server promises: one sentence, where the promise comes from, and where it does not apply. */
export interface Requirement {
  readonly sentence: string;
  /** AIP number, proto comment or section of the hosted product's documentation. */
  readonly source: string;
  /** Surfaces that have no such thing, each with the reason. */
  readonly except?: Partial<Readonly<Record<Surface, string>>>;
  /** Not served yet, and why: the test runs as must-fail, so that serving it turns the list red until this line goes. */
  readonly deferred?: string;
}
