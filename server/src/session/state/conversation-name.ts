/** `…/sessions/{id}` has its record in `…/conversations/{id}`. */
export function conversationName(session: string): string {
  return session.replace(/\/sessions\/([^/]+)$/, "/conversations/$1");
}
