/** What an API key may be limited to; a key without scopes may do everything. */
export const SCOPES = ['read', 'checkout', 'customer', 'money', 'report', 'settings'] as const;
export type Scope = (typeof SCOPES)[number];
