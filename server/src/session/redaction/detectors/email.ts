import { byPattern } from "./by-pattern.ts";

/** E-mail addresses, in any script, with a domain of at least two labels. */
export const email = byPattern(
  "EMAIL_ADDRESS",
  /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,63}/gu,
);
