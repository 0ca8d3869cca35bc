import type { SignedIn } from "../sessions/sessions.ts";

/** How people sign in to the console at an issuer. */
export interface ConsoleClient {
  /** Name of the issuer, which vouches for people. */
  readonly issuer: string;
  readonly clientId: string;
  /** Default none: a public client. */
  readonly clientSecret?: string;
  /** Besides `openid email profile`. */
  readonly scopes: readonly string[];
}

/** A sign-in that began: where the browser goes, and the cookie with what the callback needs. */
interface BegunSignIn {
  readonly url: string;
  readonly cookie: string;
}

/** Why somebody could not sign in; the console has a sentence for each. */
type SignInFault =
  /** The issuer, or the person there, said no. */
  | "denied"
  /** It took longer than ten minutes, began in another browser, or was finished before. */
  | "expired"
  /** The issuer cannot be reached, or its answer is not valid. The log says which. */
  | "failed"
  /** The issuer may not vouch for this person. */
  | "refused";

/** A sign-in that did not succeed. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  readonly fault: SignInFault;

  constructor(fault: SignInFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

/** Signing in at an issuer by OpenID Connect. */
export interface SignIn {
  /** Name of the issuer. */
  readonly issuer: string;
  /** `returnTo`: path of the page to come back to. Throws `SignInError`. */
  begin(returnTo: string): Promise<BegunSignIn>;
  /** `callback`: the address to which the issuer sent the browser. Throws `SignInError`. */
  finish(callback: URL, cookie: string | undefined): Promise<{ readonly person: SignedIn; readonly returnTo: string }>;
}
