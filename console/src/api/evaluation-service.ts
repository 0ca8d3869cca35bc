import { createClient } from "@connectrpc/connect";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { binaryTransport } from "./transport.ts";

/** The service that stores and runs evaluations. Apart from the other clients, because its definitions are large and few pages need it. */
export const evaluationService = createClient(EvaluationService, binaryTransport);
