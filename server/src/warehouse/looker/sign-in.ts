/** With what an instance is asked: a token that somebody got already, or an API key that gets one. */
export type LookerSignIn =
  | { readonly kind: "token"; readonly accessToken: string }
  | { readonly kind: "key"; readonly clientId: string; readonly clientSecret: string };
