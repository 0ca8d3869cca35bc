// The wires of the other providers, for every kind of generation.
import { PROVIDER_TYPES } from "../providers/mock-provider.ts";
import { writesEveryKind } from "./every-kind.ts";

for (const provider of PROVIDER_TYPES) if (provider !== "openai") writesEveryKind(provider);
