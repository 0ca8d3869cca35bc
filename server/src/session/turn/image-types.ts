/** The types of the message `Image`, of inputs (TURN-16) and of outputs (CB-22). */
export const IMAGE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/webp"];
