import { useState } from "react";
import { type StatusError, toStatusError } from "./status-error.ts";

/** Something that is asked of the server once. */
interface Submission {
  /** Begins it; what the server refuses becomes `error`. */
  readonly submit: () => void;
  readonly running: boolean;
  /** Why the last attempt failed. */
  readonly error: StatusError | undefined;
}

/** What a dialog asks of the server. It runs on after it was done, because the dialog is closed then: nobody can ask twice. */
export function useSubmission(send: () => Promise<void>): Submission {
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<StatusError>();
  const submit = async () => {
    setRunning(true);
    try {
      await send();
    } catch (error) {
      setError(toStatusError(error));
      setRunning(false);
    }
  };
  return { submit: () => void submit(), running, error };
}
