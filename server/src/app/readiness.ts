import type { ServingState } from "#services";

/** Whether the server takes calls. Those who ask exist before the one who knows. */
export interface Readiness {
  state(): Promise<ServingState>;
  /** From now on the state is what this returns. */
  follow(state: () => Promise<ServingState>): void;
}

/** Not serving until it follows somebody. */
export function createReadiness(): Readiness {
  let current: () => Promise<ServingState> = async () => "not serving";
  return {
    state: () => current(),
    follow: (state) => {
      current = state;
    },
  };
}
