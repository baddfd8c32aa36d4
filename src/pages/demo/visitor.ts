// Who a visitor of the demo shop is: whoever has the secret in his cookie. The service keeps its
// hash alone, by which his shop is known.
import { createHash } from 'node:crypto';
import { readCookie } from '#pages/cookie.ts';

const COOKIE_NAME = 'demo_visitor';
/** As newApiSecret makes it, 124 bits. */
const SECRET = /^[a-z0-9]{4}(?:-[a-z0-9]{4}){5}$/;
const VISITOR = /^[0-9a-f]{64}$/;

/** Undefined without a cookie, or when another hand wrote it. */
export function readVisitor(cookies: string | undefined): string | undefined {
  const secret = readCookie(cookies, COOKIE_NAME);
  return SECRET.test(secret) ? visitorOf(secret) : undefined;
}

/**
 * 64 hexadecimal digits, which tell nothing of the secret. The addresses of his receiver and of his
 * order pages have them: whoever knows them sees his orders, but orders nothing.
 */
export function visitorOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function isVisitor(text: string): boolean {
  return VISITOR.test(text);
}

/** Value of Set-Cookie. A page of another site that leads here sends it along, a form does not. */
export function visitorCookie(secret: string, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE_NAME}=${secret}; Path=/demo; HttpOnly; SameSite=Lax${secure}`;
}
