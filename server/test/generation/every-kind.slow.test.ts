// Every kind of generation over a real wire, with recorded answers; the long run has the other providers.
import { writesEveryKind } from "./every-kind.ts";

writesEveryKind("openai");
