/** The value of one cookie of a `Cookie` header (RFC 6265, 4.2.1), empty when it is not there. */
export function readCookie(cookies: string | undefined, name: string): string {
  const pair = (cookies ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? '';
}
