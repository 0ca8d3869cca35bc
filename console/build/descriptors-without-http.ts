import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { Plugin } from "vite";

const GENERATED = /\/protos\/gen\/google\/.*_pb\.js$/;

/** The descriptor of a file as protoc-gen-es writes it: one string in Base64. */
const DESCRIPTOR = /(?<=\bfileDesc\(")[A-Za-z0-9+/=]+(?=")/;

/** Files that only define those options, in the list of what a file imports. */
const OPTIONS =
  /\bfile_google_api_(?:annotations|client|routing),\s*|,\s*file_google_api_(?:annotations|client|routing)(?=\])/g;

/**
 * Leaves out of the descriptors what only servers and generators read: the options of files, services and methods, which hold the paths of REST,
 * and the files that define these options. The Simulator loads every service of an app, and its first page has a budget.
 */
export function descriptorsWithoutHttp(): Plugin {
  return {
    name: "descriptors-without-http",
    transform: {
      filter: { id: GENERATED },
      handler: (code) => ({ code: code.replace(DESCRIPTOR, smaller).replace(OPTIONS, ""), map: null }),
    },
  };
}

function smaller(descriptor: string): string {
  const file = fromBinary(FileDescriptorProtoSchema, base64Decode(descriptor));
  removeOptions(file);
  return base64Encode(toBinary(FileDescriptorProtoSchema, file), "std_raw");
}

function removeOptions(file: FileDescriptorProto): void {
  file.options = undefined;
  for (const service of file.service) {
    service.options = undefined;
    for (const method of service.method) method.options = undefined;
  }
}
