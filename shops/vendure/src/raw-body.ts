import type { NextFunction, Request, Response } from 'express';

const BYTES_MOST = 1_000_000;

/**
 * Leaves the body of a webhook as the bytes that came: what is signed is the text, and JSON that
 * was parsed and written again is another one. It stands before the parser of Vendure.
 */
export function rawBody(request: Request, response: Response, next: NextFunction): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= BYTES_MOST) chunks.push(chunk);
  });
  request.on('error', next);
  request.on('end', () => {
    if (bytes > BYTES_MOST) {
      response.sendStatus(413);
      return;
    }
    request.body = Buffer.concat(chunks);
    next();
  });
}
