// A client that speaks gRPC gets an answer that says that gRPC is not served. Without one it would try again for ever.

import { createServer } from 'node:http2';

const MESSAGE = 'The embedded Firestore does not serve gRPC. @google-cloud/firestore takes preferRest: true, without onSnapshot(). In Node, take '
  + 'firebase/firestore/lite in place of firebase/firestore, which speaks gRPC there.';
/** google/rpc/code.proto. No client tries again after it. */
const UNIMPLEMENTED = 12;
const STATUS = { 'grpc-status': String(UNIMPLEMENTED), 'grpc-message': MESSAGE };
const HEAD = { ':status': 200, 'content-type': 'application/grpc' };
const LISTEN = '/google.firestore.v1.Firestore/Listen';

/**
 * @param {(message: string) => void} tell Called at each request.
 * @returns {import('node:http2').Http2Server} It takes connections by its event `connection`.
 */
export function refuseGrpc(tell) {
  return createServer().on('stream', (stream, { ':path': path }) => {
    tell(MESSAGE);
    stream.on('error', () => {}); // The client has gone.
    if (path !== LISTEN) return stream.respond({ ...HEAD, ...STATUS }, { endStream: true });
    // @google-cloud/firestore takes the status of this stream for a broken connection. It believes the end of its only target.
    stream.respond(HEAD, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(STATUS));
    stream.end(framed(END_OF_TARGET));
  }).on('sessionError', () => {});
}

/** google.firestore.v1.ListenResponse: {targetChange: {targetChangeType: REMOVE, targetIds: [1], cause: {code, message}}} */
const END_OF_TARGET = field(2, number(1, 2), field(2, [1]), field(3, number(1, UNIMPLEMENTED), field(2, Buffer.from(MESSAGE))));

/** A number of protobuf, below 128. @param {number} id @param {number} value */
function number(id, value) {
  return [id << 3, value];
}

/** Bytes of protobuf. @param {number} id @param {...Iterable<number>} parts */
function field(id, ...parts) {
  const bytes = parts.flatMap((part) => [...part]);
  // The length as a varint of two bytes.
  return [id << 3 | 2, bytes.length & 0x7f | 0x80, bytes.length >> 7, ...bytes];
}

/** @param {number[]} message */
function framed(message) {
  const frame = Buffer.from([0, 0, 0, 0, 0, ...message]);
  frame.writeUInt32BE(message.length, 1);
  return frame;
}
