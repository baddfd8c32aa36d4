import { createHmac } from 'node:crypto';

// path without /api/v1 and without the query; body as it is sent, empty for GET
export function sign(secret, { path, time, method, body = '' }) {
  return createHmac('sha256', secret)
    .update(`${path.toLowerCase()}${time}${method}${body}`)
    .digest('hex');
}
