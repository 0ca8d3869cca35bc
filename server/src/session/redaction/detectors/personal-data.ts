import type { Detector } from "../contract.ts";
import { email, phone } from "./contact.ts";
import { iban } from "./iban.ts";
import { nationalIds } from "./national-ids.ts";
import { paymentCard } from "./payment-card.ts";

/** The detectors of the server's own; telephone numbers come last, because they are the least certain. */
export const PERSONAL_DATA: readonly Detector[] = [iban, ...nationalIds, paymentCard, email, phone];
