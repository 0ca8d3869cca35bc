import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  ServerReflection,
  type ServerReflectionRequest,
  type ServerReflectionResponseSchema,
} from "@frontdesk/protos/grpc/reflection/v1/reflection";
import { ServerReflection as ServerReflectionAlpha } from "@frontdesk/protos/grpc/reflection/v1alpha/reflection";
import { defineService, type ServiceRegistration } from "#rpc";
import { Code } from "#status";
import { createFileIndex, type DescribedFile, type FileIndex } from "./file-index.ts";

type Answer = MessageInitShape<typeof ServerReflectionResponseSchema>["messageResponse"];

/**
 * gRPC's reflection (WIRE-54): what these services and itself are, for clients without generated code, in both versions of the protocol. Questions
 * that have no answer get an error each, and the stream goes on.
 */
export function createReflectionService(others: readonly ServiceRegistration[]): ServiceRegistration {
  let index: FileIndex | undefined;
  const registration: ServiceRegistration = defineService(ServerReflection, [ServerReflectionAlpha], {
    serverReflectionInfo: async function* (requests) {
      // Made for the first who asks: most servers are never asked.
      index ??= createFileIndex([...others, registration]);
      const sent = new Set<string>();
      for await (const request of requests)
        yield { validHost: request.host, originalRequest: request, messageResponse: answer(request, index, sent) };
    },
  });
  return registration;
}

/** `sent`: the files that the stream has had, which are not repeated as imports. */
function answer({ messageRequest: asked }: ServerReflectionRequest, index: FileIndex, sent: Set<string>): Answer {
  switch (asked.case) {
    case "listServices":
      return { case: "listServicesResponse", value: { service: index.services.map((name) => ({ name })) } };
    case "fileByFilename":
      return filesOr(`The file '${asked.value}'`, index.file(asked.value), sent);
    case "fileContainingSymbol":
      return filesOr(`The symbol '${asked.value}'`, index.symbol(asked.value), sent);
    case "fileContainingExtension": {
      const { containingType, extensionNumber } = asked.value;
      const name = `The extension ${extensionNumber} of '${containingType}'`;
      return filesOr(name, index.extension(containingType, extensionNumber), sent);
    }
    case "allExtensionNumbersOfType": {
      const numbers = index.extensionNumbers(asked.value);
      if (!numbers) return unknown(`The type '${asked.value}'`);
      const value = { baseTypeName: asked.value, extensionNumber: [...numbers] };
      return { case: "allExtensionNumbersResponse", value };
    }
    default: {
      const value = { errorCode: Code.InvalidArgument, errorMessage: "The request asks for nothing." };
      return { case: "errorResponse", value };
    }
  }
}

/** The file, and what it imports, however far: a client needs all of them to read one. */
function filesOr(name: string, file: DescribedFile | undefined, sent: Set<string>): Answer {
  if (!file) return unknown(name);
  const files = [file, ...file.imports().filter((each) => !sent.has(each.name))];
  for (const each of files) sent.add(each.name);
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto: files.map((each) => each.bytes()) } };
}

function unknown(name: string): Answer {
  return {
    case: "errorResponse",
    value: { errorCode: Code.NotFound, errorMessage: `${name} is not known to this server.` },
  };
}
