/** Most characters of a question that the rules read. Their time grows with the square of its length; people ask in a sentence or two. */
export const MAX_QUESTION_CHARACTERS = 2_000;

/** Most questions before it that a follow-up may take parts from; each is interpreted anew. */
export const MAX_PAST_QUESTIONS = 20;

/** What the rules answer to a longer question. */
export const QUESTION_TOO_LONG = `Without a language model I read questions of up to ${MAX_QUESTION_CHARACTERS.toLocaleString("en-US")} characters. Please ask in a sentence or two.`;
