/** How two numbers, times or texts are compared. */
export type Comparison = ">" | ">=" | "<" | "<=" | "=" | "<>";
