import type { Caller } from "#base";

/** Whoever calls, also without a credential. */
const ALL_USERS = "allUsers";
/** Every caller with a credential of its own. */
const ALL_AUTHENTICATED = "allAuthenticatedUsers";

/** The forms of members of a binding (IAM-8). */
const MEMBER =
  /^(?:(?:user|serviceAccount|group):[^\s@:]+@[^\s@:]+|(?:user|serviceAccount|group|principal|apiKey):[^\s:/][^\s:]*|domain:[^\s@:/]+\.[^\s@:/]+|principal(?:Set)?:\/\/\S+|allUsers|allAuthenticatedUsers)$/;

/** Longest member, characters: addresses of people have 254. */
const MAX_LENGTH = 1_024;

/** What is wrong with a member; undefined for a valid one. */
export function memberProblem(member: string): string | undefined {
  if (member.length <= MAX_LENGTH && MEMBER.test(member)) return undefined;
  return `'${member.slice(0, 100)}' is no member. Use user:{email}, serviceAccount:{email}, group:{email}, domain:{domain}, principal://…, principalSet://…, apiKey:{id}, allAuthenticatedUsers or allUsers.`;
}

/** A member as policies are searched for it: e-mail addresses and domains are the same in any case. */
export function memberKey(member: string): string {
  const colon = member.indexOf(":");
  if (colon < 0 || member.includes("://") || member.startsWith("apiKey:")) return member;
  return member.slice(0, colon) + member.slice(colon).toLowerCase();
}

/** Whether a member is one caller or a group of them, as opposed to whoever calls. */
export function isSomebody(member: string): boolean {
  return member !== ALL_USERS && member !== ALL_AUTHENTICATED;
}

/** The keys of all members that a caller is. */
export function memberKeysOf({ kind, principal, groups }: Caller): readonly string[] {
  if (principal === "" || kind === "anonymous" || kind === "chatToken") return [ALL_USERS];
  return [...[principal, ...groups].map(memberKey), ...domainOf(principal), ALL_AUTHENTICATED, ALL_USERS];
}

/** The domain of a person's address. Programs are no members of a domain. */
function domainOf(principal: string): readonly string[] {
  const domain = /^user:[^@]+@(?<domain>[^@]+)$/.exec(principal)?.groups?.domain;
  return domain === undefined ? [] : [`domain:${domain.toLowerCase()}`];
}
